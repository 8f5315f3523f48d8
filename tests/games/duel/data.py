"""What the tests know of Number Duel."""

from tests.games.duel.claims import CLAIM_CASES, IDLE, PINNED, SHOWN
from tests.support.game_data import GameData

DATA = GameData(
    place=4,
    options={
        "hp": (10, 1, 100),
        "numbers": (3, 1, 9),
        "knockout": ("higher", "draw"),
        "overreach": (0, 0, 2),
    },
    small={"hp": 5},
    large={"hp": 100, "numbers": 9},
    policies=[{"hp": 5}, {"hp": 4}],
    equilibria=[{"hp": 4, "overreach": 1}],
    measured=[{"hp": 4}, {"hp": 3, "numbers": 4, "knockout": "draw"}],
    verdicts=[
        {"hp": 1},
        {"hp": 4},
        {"hp": 10},
        {"hp": 6, "numbers": 1},
        {"hp": 6, "numbers": 2},
        {"hp": 6, "numbers": 5},
        {"hp": 5, "knockout": "draw"},
        {"hp": 2, "overreach": 1},
        {"hp": 7, "overreach": 1},
        {"hp": 10, "overreach": 1},
        {"hp": 6, "numbers": 5, "overreach": 1},
        {"hp": 6, "numbers": 5, "overreach": 2},
        {"hp": 6, "numbers": 5, "overreach": 3},
        {"hp": 6, "numbers": 5, "overreach": 4},
    ],
    environments=[{"hp": 21, "numbers": 6, "knockout": "draw", "overreach": 3}],
    pinned=PINNED,
    shown=SHOWN,
    idle=IDLE,
    claim_cases=CLAIM_CASES,
)
