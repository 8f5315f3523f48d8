"""What the tests know of Number Clash: First to Three."""

from tests.games.underdog.claims import CLAIM_CASES, PINNED, SHOWN
from tests.support.game_data import GameData

DATA = GameData(
    place=1,
    options={
        "numbers": (10, 2, 20),
        "target": (3, 1, 10),
        "gap": (1, 0, 9),
        "exhausted": ("score", "draw"),
    },
    fixed_outcomes=[({}, None)],
    small={"numbers": 4, "target": 2},
    large={"numbers": 20},
    studied={"numbers": 4, "target": 2},
    puzzles={"numbers": 5, "target": 2},
    grid={"numbers": "2..4", "target": "1..2", "gap": "0..1", "exhausted": "*"},
    rational=[{"numbers": 3}, {"numbers": 4, "target": 2, "gap": 2}],
    compiled=[
        {"numbers": 4},
        {"numbers": 5, "gap": 2, "target": 2},
        {"numbers": 4, "target": 4, "exhausted": "draw"},
    ],
    interpreted=[{"numbers": 3}],
    lost=[{"numbers": 4}, {"numbers": 5, "target": 2}],
    policies=[{"numbers": 4}, {"numbers": 3, "target": 2, "gap": 2}],
    equilibria=[{"numbers": 4, "target": 2}],
    measured=[
        {"numbers": 4, "target": 2},
        {"numbers": 4, "target": 3, "gap": 2, "exhausted": "draw"},
    ],
    swept=[{"numbers": 3, "target": 2}],
    verdicts=[
        {"numbers": 4, "target": 1, "gap": 1},
        {"numbers": 4, "target": 2, "gap": 1},
        {"numbers": 4, "target": 4, "gap": 1},
        {"numbers": 4, "target": 2, "gap": 0},
        {"numbers": 4, "target": 2, "gap": 2},
        {"numbers": 4, "target": 2, "gap": 3},
        {"numbers": 2, "target": 2},
        {"numbers": 3, "target": 2, "exhausted": "draw"},
    ],
    odd=[{"numbers": 2, "target": 1}, {"numbers": 3, "target": 3, "gap": 2}],
    large_responses=[{"numbers": 6}],
    predicted=[{"numbers": 4, "target": 2}],
    environments=[{"numbers": 4, "target": 2, "gap": 2, "exhausted": "draw"}],
    variants={
        "numbers": [9, 10, 11],
        "target": [2, 3, 4],
        "gap": [0, 1, 2],
        "exhausted": ["score", "draw"],
    },
    pinned=PINNED,
    shown=SHOWN,
    claim_cases=CLAIM_CASES,
    dialogs=[
        (
            ["--rule", "numbers=2", "--rule", "target=2"],
            [1, 1, 2, 2],
            [
                "Round Result: Neither player wins the round!",
                "All numbers have been used. The game is a draw!",
                "Thank you for playing Number Clash.",
            ],
        ),
        (
            ["--rule", "numbers=3"],
            [1, 1, 2, 3, 3, 2],
            ["All numbers have been used. The game is a draw!"],
        ),
        (
            ["--rule", "numbers=4"],
            [1, 4, 4, 3, 2, 1, 3, 2],
            ["Player 2 has reached 3 points and wins the game!"],
        ),
        (
            ["--rule", "numbers=4"],
            [1, 4, 4, 2, 2, 3, 3, 1],
            ["Player 1 has reached 3 points and wins the game!"],
        ),
        (
            ["--rule", "numbers=4", "--rule", "target=4"],
            [1, 4, 4, 2, 2, 3, 3, 1],
            ["All numbers have been used. Player 1 has more points and wins the game!"],
        ),
        (["--rule", "target=1"], [5, 3], ["Player 1 has reached 1 point and wins the game!"]),
    ],
)
