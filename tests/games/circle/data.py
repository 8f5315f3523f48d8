"""What the tests know of Number Circle Duel."""

from tests.games.circle.claims import CLAIM_CASES, PINNED, SHOWN
from tests.support.game_data import GameData

DATA = GameData(
    place=3,
    options={"numbers": (10, 1, 24), "reach": (1, 1, 3), "leaps": (0, 0, 2)},
    small={"numbers": 7, "reach": 2},
    large={"numbers": 24, "reach": 3},
    policies=[{"numbers": 8, "reach": 2}],
    equilibria=[{"numbers": 6, "reach": 2}],
    measured=[{"numbers": 7, "reach": 2}, {"numbers": 6}, {"numbers": 6, "leaps": 1}],
    verdicts=[
        {"numbers": 1},
        {"numbers": 2},
        {"numbers": 3},
        {"numbers": 8},
        {"numbers": 7, "reach": 2},
        {"numbers": 7, "reach": 3},
        {"numbers": 6, "leaps": 1},
        {"numbers": 6, "leaps": 2},
    ],
    environments=[{"numbers": 13, "reach": 2, "leaps": 1}, {"numbers": 24, "reach": 3, "leaps": 2}],
    pinned=PINNED,
    shown=SHOWN,
    claim_cases=CLAIM_CASES,
)
