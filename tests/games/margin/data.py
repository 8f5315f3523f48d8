"""What the tests know of Number Clash: Five Rounds."""

from tests.games.margin.claims import CLAIM_CASES, PINNED, SHOWN
from tests.support.game_data import GameData

DATA = GameData(
    place=2,
    options={"numbers": (5, 2, 12), "last_round": ("final", "decisive")},
    fixed_outcomes=[({}, None)],
    small={"numbers": 4},
    large={"numbers": 12},
    puzzles={"numbers": 4},
    grid={"numbers": "2..4", "last_round": "*"},
    rational=[
        {"numbers": 2},
        {"numbers": 3},
        {"numbers": 4},
        {"numbers": 4, "last_round": "decisive"},
    ],
    compiled=[{}, {"numbers": 4, "last_round": "decisive"}],
    lost=[{"numbers": 4}],
    policies=[{"numbers": 4}],
    equilibria=[{"numbers": 3}, {"numbers": 3, "last_round": "decisive"}],
    measured=[{"numbers": 4}, {"numbers": 3, "last_round": "decisive"}],
    swept=[{"numbers": 3, "last_round": "decisive"}],
    verdicts=[
        {"numbers": 2},
        {"numbers": 3},
        {"numbers": 4},
        {"numbers": 3, "last_round": "decisive"},
        {"numbers": 4, "last_round": "decisive"},
    ],
    odd=[{"numbers": 2}],
    predicted=[{"numbers": 4}],
    environments=[{"numbers": 7, "last_round": "decisive"}],
    thresholds=[
        ({}, "skill", "consistently", [("fails", 0.75), ("holds", 0.55)]),
        ({}, "skill?", "step", [("partly", 0.6), ("no", 0.9), ("yes", 0.5)]),
    ],
    steps=[({}, 0.6, 0)],
    variants={"numbers": [4, 5, 6], "last_round": ["final", "decisive"]},
    unreachable=[
        (
            {"numbers": 3},
            [{"hands": (2, 2), "points": (50, 0)}, {"points": (0.5, 0)}, {"points": None}],
        )
    ],
    pinned=PINNED,
    shown=SHOWN,
    claim_cases=CLAIM_CASES,
    explained=[(["?"], "gains the difference in points")],
    dialogs=[
        (
            ["--rule", "numbers=2"],
            [1, 1, 2, 2],
            [
                "The round is a tie!",
                "No points are awarded.",
                "Points, rounds won and the last round are all equal. The game is a draw!",
            ],
        ),
        (
            ["--rule", "numbers=2"],
            [2, 1, 1, 2],
            ["Player A: 1 point", "Player B won the last round and is the winner!"],
        ),
        (
            ["--rule", "numbers=3", "--rule", "last_round=decisive"],
            [1, 2, 2, 1, 3, 3],
            [
                "Player A won the last decided round and is the winner!",
                "Congratulations, Player A!",
            ],
        ),
    ],
)
