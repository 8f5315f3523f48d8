"""Kernels that compute the legal picks, successors and values of positions.

They are written against names that `compile.py` fills in: `legal`, `step`, `outcome`, `ending`,
`pack` and `unpack` of the game, and `locate` over its solution.
"""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821

from typing import Any

from evenodds.core.vocabulary import rule
from evenodds.kernels.solve import ONGOING, find


@rule
def fill_moves(
    rulings: Any, layout: Any, keys: Any, begin: int, end: int, firsts: Any, seconds: Any
) -> None:
    """The numbers open to each seat at some positions, as sets."""
    for place in range(begin, end):
        state = unpack(keys[place], rulings, layout)
        firsts[place] = legal(state, 0)
        seconds[place] = legal(state, 1)


@rule
def fill_targets(
    rulings: Any,
    layout: Any,
    keys: Any,
    begin: int,
    end: int,
    picks: Any,
    table: Any,
    targets: Any,
) -> None:
    """Where each pair of picks leads: to a place in the table, or below zero to an end.

    An end is three for each ending and one for each outcome from the lowest on, and one more, with
    a minus.
    """
    firsts, seconds = picks
    held, places = table
    for place in range(begin, end):
        state = unpack(keys[place], rulings, layout)
        for i in range(firsts.shape[1]):
            for j in range(seconds.shape[1]):
                child = step(state, (int(firsts[place, i]), int(seconds[place, j])))
                result = outcome(child) + 0
                if result == ONGOING:
                    targets[place, i, j] = places[find(held, pack(child, layout))]
                else:
                    targets[place, i, j] = -(3 * (ending(child) + 0) + result + 2)


@rule
def fill_values(
    rulings: Any, layout: Any, keys: Any, begin: int, end: int, solution: Any, values: Any
) -> None:
    """What some positions are worth to the first seat, as a solved game holds it."""
    kept_layout, held, kept = solution
    for place in range(begin, end):
        key, sign = locate(unpack(keys[place], rulings, layout), kept_layout)
        values[place] = sign * kept[find(held, key)]


@rule
def fill_images(
    rulings: Any, layout: Any, keys: Any, begin: int, end: int, table: Any, images: Any
) -> None:
    """The place of the mirror image of each position."""
    held, places = table
    for place in range(begin, end):
        image = mirror(unpack(keys[place], rulings, layout))
        images[place] = places[find(held, pack(image, layout))]
