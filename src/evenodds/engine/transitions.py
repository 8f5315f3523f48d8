"""Kernels that compute the legal picks, successors and values of positions."""

from typing import Any

from evenodds.core.vocabulary import NOTHING
from evenodds.engine.game_functions import (
    MAX_PICKS,
    ONGOING,
    chance,
    checked_weight,
    ending,
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
    rulings: Any, layout: Any, keys: Any, begin: int, end: int, firsts: Any, seconds: Any
) -> None:
    """What a step takes for each seat at some positions, as bit sets."""
    for place in range(begin, end):
        state = unpack(keys[place], rulings, layout)
        firsts[place] = moves(state, 0)
        seconds[place] = moves(state, 1)


@kernel
def fill_drawn(rulings: Any, layout: Any, keys: Any, begin: int, end: int, drawn: Any) -> None:
    """Whether chance is to move at some positions."""
    for place in range(begin, end):
        drawn[place] = chance(unpack(keys[place], rulings, layout)) != NOTHING


@kernel
def fill_weights(
    rulings: Any, layout: Any, keys: Any, begin: int, end: int, begins: Any, weights: Any
) -> None:
    """How likely each link is where chance draws; 0 elsewhere."""
    for place in range(begin, end):
        state = unpack(keys[place], rulings, layout)
        drawn = chance(state)
        total, link = 0.0, begins[place]
        for number in range(MAX_PICKS):
            if number > 0 and drawn >> number & 1:
                weights[link] = checked_weight(state, number)
                total += weights[link]
                link += 1
        for each in range(begins[place], link):
            weights[each] /= total


@kernel
def fill_rewards(
    rulings: Any, layout: Any, keys: Any, begin: int, end: int, begins: Any, rewards: Any
) -> None:
    """The points of each link."""
    for place in range(begin, end):
        state = unpack(keys[place], rulings, layout)
        first, second = moves(state, 0), moves(state, 1)
        link = begins[place]
        i = 0
        while first >> i:
            j = 0
            while first >> i & 1 and second >> j:
                if second >> j & 1:
                    rewards[link] = reward(state, (i, j))
                    link += 1
                j += 1
            i += 1


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
        first, second = moves(state, 0), moves(state, 1)
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
