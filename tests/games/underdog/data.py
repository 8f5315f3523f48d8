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
    small={"numbers": 4, "target": 2},
    large={"numbers": 20},
    policies=[{"numbers": 4}, {"numbers": 3, "target": 2, "gap": 2}],
    equilibria=[{"numbers": 4, "target": 2}],
    measured=[
        {"numbers": 4, "target": 2},
        {"numbers": 4, "target": 3, "gap": 2, "exhausted": "draw"},
    ],
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
    environments=[{"numbers": 4, "target": 2, "gap": 2, "exhausted": "draw"}],
    pinned=PINNED,
    shown=SHOWN,
    claim_cases=CLAIM_CASES,
)
