"""Games in which chance draws or steps bring points, as every environment takes them."""

from typing import Any, Final

from tests.support.environments import register
from tests.support.examples import example
from tests.support.table_games import DRAWN, WON, Table, table_game

DICE: Final = table_game(
    "dice",
    lambda number: Table(
        [((1, 3), (0,)), ((1, 2), (1, 2)), ((1,), (0,))],
        [
            {(1, 0): 1, (3, 0): 1},
            {(1, 1): WON, (1, 2): 2, (2, 1): DRAWN, (2, 2): 2},
            {(1, 0): DRAWN},
        ],
        [{1: 3, 3: 5}, {}, {1: 1}],
        [{(1, 0): 2, (3, 0): -4}, {(1, 1): 1, (1, 2): -2, (2, 1): -3, (2, 2): 7}, {(1, 0): 10}],
    ),
    simultaneous=True,
    loops=False,
    chance=True,
    points=True,
)(0).game
"""A die of unequal sides before the first round and after some; each brings points."""
NAMES: Final = ("goofspiel", "nim", "oshi_zumo", "pig", "rock_paper_scissors")
GAMES_WITH_CHANCE: Final[dict[str, Any]] = {name: example(name) for name in NAMES} | {"dice": DICE}
for each in GAMES_WITH_CHANCE.values():
    register(each)
CHANCE: Final[list[tuple[Any, dict[str, Any]]]] = [
    (GAMES_WITH_CHANCE[name], rulings)
    for name, rulings in (
        ("goofspiel", {"cards": 3}),
        ("goofspiel", {"cards": 4, "order": "rising", "score": "points"}),
        ("nim", {}),
        ("oshi_zumo", {"coins": 6}),
        ("pig", {"goal": 6, "sides": 3}),
        ("rock_paper_scissors", {}),
        ("dice", {}),
    )
]
