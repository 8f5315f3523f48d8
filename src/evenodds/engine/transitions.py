"""Kernels that compute the legal picks, successors and values of positions."""

from typing import Any

from evenodds.engine.game_functions import (
    ONGOING,
    ending,
    kernel,
    legal,
    locate,
    mirror,
    outcome,
    pack,
    step,
    unpack,
)
from evenodds.engine.key_tables import find


@kernel
def fill_moves(
    rulings: Any, layout: Any, keys: Any, begin: int, end: int, firsts: Any, seconds: Any
) -> None:
    """The legal picks of each seat at some positions, as bit sets."""
    for place in range(begin, end):
        state = unpack(keys[place], rulings, layout)
        firsts[place] = legal(state, 0)
        seconds[place] = legal(state, 1)


@kernel
def fill_targets(
    rulings: Any,
    layout: Any,
    keys: Any,
    begin: int,
    end: int,
    begins: Any,
    table: Any,
    targets: Any,
    occurring: Any,
) -> None:
    """The target of each link of some positions: a place in the table, or for an end its -code.

    The code is 3 * ending + outcome + 2, so that it is above 0 for every outcome from -1 on; those
    that occur are marked.
    """
    table_keys, places = table
    for place in range(begin, end):
        state = unpack(keys[place], rulings, layout)
        first, second = legal(state, 0), legal(state, 1)
        link = begins[place]
        i = 0
        while first >> i:
            j = 0
            while first >> i & 1 and second >> j:
                if second >> j & 1:
                    child = step(state, (i, j))
                    result = outcome(child) + 0
                    if result == ONGOING:
                        targets[link] = places[find(table_keys, pack(child, layout))]
                    else:
                        code = 3 * (ending(child) + 0) + result + 2
                        targets[link] = -code
                        occurring[code] = True
                    link += 1
                j += 1
            i += 1


@kernel
def fill_values(
    rulings: Any, layout: Any, keys: Any, begin: int, end: int, solution: Any, values: Any
) -> None:
    """The values of some positions for the first seat, read from a solution."""
    solved_layout, table_keys, solved_values = solution
    for place in range(begin, end):
        key, sign = locate(unpack(keys[place], rulings, layout), solved_layout)
        values[place] = sign * solved_values[find(table_keys, key)]


@kernel
def fill_images(
    rulings: Any, layout: Any, keys: Any, begin: int, end: int, table: Any, images: Any
) -> None:
    """The place of the mirror image of each position."""
    table_keys, places = table
    for place in range(begin, end):
        image = mirror(unpack(keys[place], rulings, layout))
        images[place] = places[find(table_keys, pack(image, layout))]
