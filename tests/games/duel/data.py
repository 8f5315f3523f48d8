"""What the tests know of Number Duel."""

from evenodds import Outcome
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
    fixed_outcomes=[({}, None), ({"numbers": 1}, Outcome.DRAW)],
    small={"hp": 5},
    large={"hp": 100, "numbers": 9},
    puzzles={"hp": 6},
    grid={"hp": "1..5", "numbers": "1..3", "knockout": "*"},
    rational=[{}, {"hp": 6, "numbers": 4, "knockout": "draw"}],
    compiled=[{}, {"hp": 7, "numbers": 5, "knockout": "draw"}],
    interpreted=[{"hp": 4}],
    lost=[{}, {"hp": 7, "numbers": 4, "knockout": "draw"}],
    policies=[{"hp": 5}, {"hp": 4}],
    equilibria=[{"hp": 4, "overreach": 1}],
    measured=[{"hp": 4}, {"hp": 3, "numbers": 4, "knockout": "draw"}],
    swept=[{"hp": 4}],
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
    odd=[
        {"numbers": 4, "overreach": 3},
        {"numbers": 1},
        {"hp": 1},
        {"hp": 4, "numbers": 9, "overreach": 8},
    ],
    predicted=[{"hp": 4}],
    environments=[{"hp": 21, "numbers": 6, "knockout": "draw", "overreach": 3}],
    thresholds=[({}, "quick", "quick", [("holds", 20.0), ("fails", 3.0)])],
    steps=[({}, 0.6, 7), ({}, 0.75, 0)],
    variants={
        "hp": [9, 10, 11],
        "numbers": [2, 3, 4],
        "knockout": ["higher", "draw"],
        "overreach": [0, 1],
    },
    pinned=PINNED,
    shown=SHOWN,
    idle=IDLE,
    claim_cases=CLAIM_CASES,
    explained=[(["?"], "The higher number strikes")],
    dialogs=[
        (
            ["--rule", "hp=1"],
            [2, 2],
            [
                "Player 1: 0 HP",
                "Game Over!",
                "Both players have fallen in the same round.",
                "The game is a draw!",
            ],
        ),
        (
            ["--rule", "hp=3"],
            [2, 1, 3, 3],
            [
                "Both players have fallen in the same round.",
                "Player 1 would stand higher, 0 to -2.",
            ],
        ),
    ],
)
