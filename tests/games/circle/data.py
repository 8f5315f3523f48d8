"""What the tests know of Number Circle Duel."""

from evenodds import Outcome
from tests.games.circle.claims import CLAIM_CASES, PINNED, SHOWN
from tests.support.game_data import GameData

DATA = GameData(
    place=3,
    options={"numbers": (10, 1, 24), "reach": (1, 1, 3), "leaps": (0, 0, 2)},
    fixed_outcomes=[
        ({}, Outcome.SECOND_WINS),
        ({"numbers": 24}, Outcome.SECOND_WINS),
        ({"numbers": 9}, Outcome.FIRST_WINS),
        ({"leaps": 1}, None),
        ({"reach": 2}, None),
    ],
    lost=[{"numbers": 7, "leaps": 1}],
    choices=[{"numbers": 7, "leaps": 1}],
    small={"numbers": 7, "reach": 2},
    large={"numbers": 24, "reach": 3},
    puzzles={"numbers": 9, "reach": 2},
    rational=[{"numbers": 7, "reach": 2}],
    compiled=[{}, {"numbers": 9, "reach": 2}, {"numbers": 1}],
    interpreted=[{"numbers": 6, "reach": 2}],
    policies=[{"numbers": 8, "reach": 2}],
    equilibria=[{"numbers": 6, "reach": 2}],
    measured=[{"numbers": 7, "reach": 2}, {"numbers": 6}, {"numbers": 6, "leaps": 1}],
    swept=[{"numbers": 5, "reach": 2}],
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
    odd=[{"numbers": 1}, {"numbers": 7, "reach": 3}, {"numbers": 6, "leaps": 2}],
    environments=[{"numbers": 13, "reach": 2, "leaps": 1}, {"numbers": 24, "reach": 3, "leaps": 2}],
    thresholds=[
        ({"numbers": 7, "reach": 2}, "choices?", "seldom", [("partly", 0.5), ("yes", 0.99)])
    ],
    variants={"numbers": [9, 10, 11], "reach": [1, 2, 3], "leaps": [0, 1, 2]},
    unreachable=[({"numbers": 3}, [{"last": 2}, {"turn": 0.5}, {"free": "a"}])],
    pinned=PINNED,
    shown=SHOWN,
    claim_cases=CLAIM_CASES,
    explained=[
        (["?"], "Claim any number to begin."),
        ([4, "?"], "Claim a free number next to 4 on the circle."),
    ],
    dialogs=[
        (
            ["--rule", "numbers=3", "--first", "2"],
            [1, 2, 3],
            ["Player 2's turn.", "Player 1 has no valid move.", "Player 2 wins the game!"],
        )
    ],
)
