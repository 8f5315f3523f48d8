"""What the tests know of Number Clash: First to Three."""

from tests.games.underdog.claims import CLAIM_CASES, PINNED, SHOWN
from tests.support.game_data import GameData

DATA = GameData(
    place=1,
    defaults={"numbers": "10", "target": "3", "gap": "1", "exhausted": "score"},
    limits={"numbers": (2, 20), "target": (1, 10), "gap": (0, 9)},
    words={"exhausted": ("score", "draw")},
    fixed_outcomes=[({}, None)],
    small={"numbers": 5},
    tiny={"numbers": 4, "target": 2},
    large={"numbers": 20},
    studied={"numbers": 4, "target": 2},
    puzzles={"numbers": 5, "target": 2},
    no_puzzles=[{"numbers": 2, "target": 2}],
    grid={"numbers": "2..4", "target": "1..3", "gap": "0..2", "exhausted": "*"},
    rational=[{"numbers": 3}, {"numbers": 4, "target": 2, "gap": 2}],
    compiled=[
        {"numbers": 4},
        {"numbers": 5, "gap": 2, "target": 2},
        {"numbers": 4, "target": 4, "exhausted": "draw"},
    ],
    interpreted=[{"numbers": 3}],
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
    levels=[{"numbers": 4, "target": 2}],
    counter_read=[{"numbers": 3}],
    longest=[{"numbers": 2, "target": 1}, {"numbers": 5, "target": 2, "gap": 2}],
    openspiel=[{"numbers": 5, "target": 2, "gap": 2, "exhausted": "draw"}],
    large_responses=[{"numbers": 7}],
    predicted=[{"numbers": 4, "target": 2}],
    openspiel_exact=[{"numbers": 4, "target": 2}, {"numbers": 3, "gap": 2, "exhausted": "draw"}],
    pettingzoo=[{"numbers": 4, "target": 2, "gap": 2, "exhausted": "draw"}],
    counts=[
        ({}, 2, (0, 0, 0, 8100)),
        ({"numbers": 5}, 5, (4512, 4080, 4512, 0)),
        ({"numbers": 5, "target": 1}, 5, (160, 120, 160, 0)),
        ({"numbers": 5, "target": 5}, 5, (5160, 4080, 5160, 0)),
        ({"numbers": 5, "gap": 0}, 5, (4170, 5520, 4170, 0)),
        ({"numbers": 5, "gap": 2}, 5, (4146, 4560, 4146, 0)),
        ({"numbers": 4, "target": 4}, 4, (144, 288, 144, 0)),
        ({"numbers": 4, "target": 4, "exhausted": "draw"}, 4, (24, 528, 24, 0)),
    ],
    habits=[({"numbers": 5}, "highest", 0.2), ({"numbers": 5}, "copies", 0.15)],
    search_losses=[({"numbers": 4}, 0.03)],
    variants={
        "numbers": [9, 10, 11],
        "target": [2, 3, 4],
        "gap": [0, 1, 2],
        "exhausted": ["score", "draw"],
    },
    illegal=[([4, 5], [1, 5]), ([4, 5], [4, 1])],
    hints=[
        ({"numbers": 5}, "", "No single number is safe"),
        ({"numbers": 5, "target": 1, "gap": 0}, "", "5 is the best pick"),
        (
            {"numbers": 3, "exhausted": "draw"},
            "1-1",
            "All numbers are equally good: they keep the game even.",
        ),
        (
            {"numbers": 6},
            "1-5 4-4 6-6",
            "5 is safe by itself: it keeps at least 50% whatever your opponent picks. The mix is "
            "as good.",
        ),
    ],
    prompts=[
        ({}, ["1 to 10", "exactly 1 less", "reach 3 points", "more points win"], []),
        (
            {"numbers": 7, "target": 2, "gap": 4, "exhausted": "draw"},
            ["1 to 7", "exactly 4 less", "1 beats 5", "reach 2 points", "that, the game is a draw"],
            ["10", "exactly 1", "3 points", "more points"],
        ),
        ({"gap": 0}, ["The higher number wins the round"], ["less than", "beats"]),
    ],
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
            ["--rule", "numbers=3"],
            [3, 3, 2, 1, 1, 2],
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
    playthroughs={
        "playthrough": ("", []),
        "playthrough-small": ("numbers=4,target=2,gap=2,exhausted=draw", []),
    },
)
