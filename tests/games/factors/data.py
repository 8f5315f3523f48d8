"""What the tests know of Clash of Numbers."""

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
    small={"target": 9},
    large={"target": 1000, "numbers": 30},
    policies=[{"target": 5, "numbers": 3}],
    measured=[{"target": 5, "numbers": 3, "echo": "barred"}],
    verdicts=[
        {"target": 1, "numbers": 4},
        {"target": 5, "numbers": 4},
        {"target": 9, "numbers": 4},
        {"target": 12},
        {"target": 6, "numbers": 3, "finish": "round"},
        {"target": 6, "numbers": 3, "same": "twice"},
        {"target": 8, "numbers": 3, "echo": "barred"},
    ],
    environments=[
        {"target": 20, "numbers": 6, "finish": "round", "same": "twice", "repetition": 2},
        {"target": 8, "numbers": 2},
        {"opening": "live", "echo": "barred", "max_cycles": 20},
    ],
    pinned=PINNED,
    shown=SHOWN,
    idle=IDLE,
    claim_cases=CLAIM_CASES,
)
