"""What the tests know of Number Clash: Five Rounds."""

from tests.games.margin.claims import CLAIM_CASES, PINNED, SHOWN
from tests.support.game_data import GameData

DATA = GameData(
    place=2,
    options={"numbers": (5, 2, 12), "last_round": ("final", "decisive")},
    small={"numbers": 4},
    large={"numbers": 12},
    policies=[{"numbers": 4}],
    equilibria=[{"numbers": 3}, {"numbers": 3, "last_round": "decisive"}],
    measured=[{"numbers": 4}, {"numbers": 3, "last_round": "decisive"}],
    verdicts=[
        {"numbers": 2},
        {"numbers": 3},
        {"numbers": 4},
        {"numbers": 3, "last_round": "decisive"},
        {"numbers": 4, "last_round": "decisive"},
    ],
    environments=[{"numbers": 7, "last_round": "decisive"}],
    pinned=PINNED,
    shown=SHOWN,
    claim_cases=CLAIM_CASES,
)
