"""Kernels that compute the legal picks, successors and values of positions."""

from typing import Any

from evenodds.core.vocabulary import NOTHING
from evenodds.engine.game_functions import (
    HAS_REWARDS,
    ONGOING,
    chance,
    ending,
    fill_shares,
    kernel,
    locate,
    mirror,
    moves,
    outcome,
    pack,
    reward,
    step,
    unpack,
)
from evenodds.engine.key_tables import find


@kernel
def fill_moves(
    rulings: Any, layout: Any, keys: Any, begin: int, end: int, sets: Any, drawn: Any
) -> None:
    """What a step takes for each seat at some positions, as bit sets; and where chance moves."""
    for place in range(begin, end):
        state = unpack(keys[place], rulings, layout)
        sets[0, place], sets[1, place] = moves(state, 0), moves(state, 1)
        drawn[place] = chance(state) != NOTHING


@kernel
def fill_links(
    rulings: Any, layout: Any, keys: Any, begin: int, end: int, table: Any, links: Any, codes: Any
) -> None:
    """The links of some positions: where they lead, in games about points what they bring.

    And how likely they are where chance draws. A target is a place in the table, or for an end its
    -code. The code is 3 * ending + outcome + 2, so that it is above 0 for every outcome from -1 on;
    those that occur are marked.
    """
    (table_keys, places), (begins, targets, rewards, weights) = table, links
    for place in range(begin, end):
        state = unpack(keys[place], rulings, layout)
        first, second = moves(state, 0), moves(state, 1)
        link = begins[place]
        fill_shares(state, weights, link)
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
                        codes[code] = True
                    if HAS_REWARDS:
                        rewards[link] = reward(state, (i, j))
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
