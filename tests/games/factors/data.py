"""What the tests know of Clash of Numbers."""

from evenodds import Outcome
from tests.games.factors.claims import CLAIM_CASES, IDLE, PINNED, SHOWN
from tests.support.game_data import GameData

DATA = GameData(
    place=5,
    options={
        "target": (50, 1, 1000),
        "numbers": (9, 1, 30),
        "finish": ("at_once", "round"),
        "same": ("once", "twice"),
        "opening": ("exempt", "live"),
        "echo": ("free", "barred"),
    },
    fixed_outcomes=[({}, None), ({"numbers": 1}, None), ({"target": 1}, Outcome.FIRST_WINS)],
    lost=[
        {"target": 9, "numbers": 5, "echo": "barred"},
        {"target": 9, "numbers": 6},
        {"target": 9, "numbers": 6, "same": "twice"},
    ],
    choices=[{"target": 10}, {"target": 13, "numbers": 5}, {"target": 8, "same": "twice"}],
    small={"target": 12},
    tiny={"target": 12},
    large={"target": 1000, "numbers": 30},
    studied={"target": 12, "numbers": 3},
    puzzles={"target": 15},
    compiled=[
        {"target": 18},
        {"target": 19},
        {"target": 9, "finish": "round"},
        {"target": 12, "numbers": 5, "same": "twice", "opening": "live"},
    ],
    interpreted=[{"target": 4, "numbers": 3}],
    policies=[{"target": 5, "numbers": 3}],
    measured=[{"target": 5, "numbers": 3, "echo": "barred"}],
    verdicts=[
        {"target": 1, "numbers": 4},
        {"target": 5, "numbers": 4},
        {"target": 9, "numbers": 4},
        {"target": 7},
        {"target": 6, "numbers": 3, "finish": "round"},
        {"target": 6, "numbers": 3, "same": "twice"},
        {"target": 8, "numbers": 3, "echo": "barred"},
    ],
    odd=[
        {"numbers": 1, "target": 1, "finish": "round"},
        {"numbers": 2, "target": 5, "echo": "barred"},
        {"numbers": 2, "target": 2, "echo": "barred", "opening": "live"},
        {"numbers": 3, "target": 1},
    ],
    levels=[
        {"target": 8},
        {"target": 8, "finish": "round"},
        {"target": 9, "opening": "live"},
        {"target": 7, "numbers": 12},
        {"target": 9, "same": "twice"},
    ],
    counter_read=[{"target": 3, "numbers": 3}],
    searched=[{"target": 20}],
    large_responses=[{"target": 17}],
    environments=[
        {"target": 20, "numbers": 6, "finish": "round", "same": "twice", "repetition": 2},
        {"target": 8, "numbers": 2},
        {"opening": "live", "echo": "barred", "max_cycles": 20},
    ],
    counts=[
        ({}, 3, (0, 0, 0, 729)),
        ({"target": 10}, 4, (405, 0, 1279, 1637)),
        ({"target": 8, "numbers": 4}, 6, (234, 0, 413, 2447)),
        ({"target": 8, "numbers": 4, "same": "twice"}, 6, (222, 0, 409, 2499)),
        ({"target": 8, "numbers": 4, "opening": "live"}, 6, (130, 0, 467, 2989)),
        ({"target": 8, "numbers": 4, "echo": "barred"}, 6, (129, 0, 236, 569)),
        (
            {"target": 8, "numbers": 4, "finish": "round", "opening": "live", "echo": "barred"},
            6,
            (135, 0, 204, 601),
        ),
        (
            {"target": 8, "numbers": 4, "finish": "round", "same": "twice", "opening": "live"},
            6,
            (237, 0, 495, 3289),
        ),
        ({"target": 4, "numbers": 4, "finish": "round"}, 6, (290, 0, 309, 194)),
    ],
    habits=[({"target": 19}, "highest", 0.2)],
    variants={
        "target": [49, 50, 51],
        "numbers": [8, 9, 10],
        "finish": ["at_once", "round"],
        "same": ["once", "twice"],
        "opening": ["exempt", "live"],
        "echo": ["free", "barred"],
    },
    hints=[
        (
            {"target": 12},
            "1 7 1 1 4 1 1 1 1",
            "6 wins at once. 1 would make it a draw by repetition.",
        ),
        ({"target": 12}, "3 1", "9 wins at once."),
        ({"target": 12}, "1", "Every number keeps the game even. "),
    ],
    prompts=[
        ({"numbers": 1}, ["the number 1 "], ["one of the number 1"]),
        (
            {},
            ["1 to 9", "pass 50 points wins at once", "subtracted once", "of each player"],
            ["may not be picked", "last turn"],
        ),
        (
            {"target": 24, "numbers": 7, "same": "twice", "opening": "live"},
            [
                "1 to 7",
                "pass 24 points wins at once",
                "subtracted twice",
                "very first turn of the game",
            ],
            ["50", "1 to 9", "subtracted once", "of each player"],
        ),
        (
            {"finish": "round", "echo": "barred"},
            ["the second still has its turn", "may not be picked again"],
            ["The first player to reach", "subtracted once"],
        ),
    ],
    pinned=PINNED,
    shown=SHOWN,
    idle=IDLE,
    claim_cases=CLAIM_CASES,
    explained=[
        (["?"], "Nothing is subtracted this turn."),
        ([6, 3, "?"], "A multiple of 3 takes 3 from your opponent"),
    ],
    dialogs=[
        (
            ["--rule", "target=9", "--rule", "finish=round"],
            [9, 9, 1],
            [
                "Player 1 has reached the target score.",
                "Player 2 has the last turn of the round.",
                "Both players have reached the target score.",
                "The scores are equal: play goes on until one player is ahead.",
                "Scores -> Player 1: 10, Player 2: 8",
                "Player 1 has the higher score and wins the game!",
            ],
        ),
        (
            ["--rule", "target=8", "--rule", "finish=round"],
            [8, 9],
            [
                "Both players have reached the target score.",
                "Player 2 has the higher score and wins the game!",
            ],
        ),
        (
            ["--rule", "target=9", "--rule", "finish=round"],
            [3, 2, 9, 3, 1, 1],
            ["Player 1 has reached the target score and wins the game!"],
        ),
        (
            ["--rule", "same=twice"],
            [5, 6, 6],
            [
                "6 is a multiple of Player 2's last number (6).",
                "Subtracting 6 from Player 2's score.",
                "6 is a factor of Player 2's last number (6).",
                "Subtracting 6 from Player 2's score.",
                "Scores -> Player 1: 11, Player 2: 0",
            ],
        ),
        (
            [],
            [5, 6, 6],
            [
                "6 is a multiple of Player 2's last number (6).",
                "Subtracting 6 from Player 2's score.",
                "Scores -> Player 1: 11, Player 2: 0",
            ],
        ),
        (
            ["--rule", "opening=live"],
            [6, 3],
            ["3 is a factor of Player 1's last number (6).", "Scores -> Player 1: 3, Player 2: 3"],
        ),
        (
            ["--rule", "numbers=1", "--rule", "opening=live", "--repetition", "2"],
            [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
            ["The same position has come up twice. The game is a draw."],
        ),
    ],
)
