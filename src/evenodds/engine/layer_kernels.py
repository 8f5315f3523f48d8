"""Solver kernels: position listing and backward induction."""

from typing import Any

from evenodds.core.vocabulary import Outcome, rule
from evenodds.engine.game_functions import (
    MIRRORED,
    kernel,
    legal,
    locate,
    outcome,
    pack,
    step,
    unpack,
)
from evenodds.engine.key_tables import find, insert
from evenodds.engine.simplex import solve_game

UNSOLVED = 9.0
"""A value that no position has."""
ONGOING = int(Outcome.ONGOING)


@kernel
def expand_layer(
    rulings: Any,
    layout: Any,
    layer: Any,
    begin: int,
    end: int,
    table: Any,
    max_new: int,
    mirrored: bool,
) -> tuple[int, int, bool]:
    """Insert the open children of a layer's positions into a set until more than `max_new` are new.

    With `mirrored` one of two mirror images stands for both.

    Returns where to go on, how many are new, and whether a child did not fit the layout.
    """
    found = 0
    for place in range(begin, end):
        if found > max_new:
            return place, found, False
        state = unpack(layer[place], rulings, layout)
        first = legal(state, 0)
        i = 0
        while first >> i:
            if first >> i & 1:
                second = legal(state, 1)
                j = 0
                while second >> j:
                    if second >> j & 1:
                        child = step(state, (i, j))
                        if outcome(child) == ONGOING:
                            key = locate(child, layout)[0] if mirrored else pack(child, layout)
                            if key < 0:
                                return place, found, True
                            found += insert(table, key)
                    j += 1
            i += 1
    return end, found, False


@rule
def fill_payoff(state: Any, layout: Any, keys: Any, values: Any, payoff: Any) -> tuple[int, int]:
    """Write the payoff matrix of a position, for the first seat; returns its height and width."""
    first = legal(state, 0)
    second = legal(state, 1)
    height, width = 0, 0
    i = 0
    while first >> i:
        if first >> i & 1:
            width = 0
            j = 0
            while second >> j:
                if second >> j & 1:
                    child = step(state, (i, j))
                    worth = 1.0 * (outcome(child) + 0)
                    if worth == ONGOING:
                        key, sign = locate(child, layout)
                        worth = sign * values[find(keys, key)] if sign != 0 else 0.0
                    payoff[height, width] = worth
                    width += 1
                j += 1
            height += 1
        i += 1
    return height, width


@kernel
def solve_layer(
    rulings: Any,
    layout: Any,
    layer: Any,
    begin: int,
    end: int,
    keys: Any,
    values: Any,
    worths: Any,
    workspace: Any,
) -> tuple[float, int]:
    """Solve the positions of a layer whose children are solved, and leave their values in `worths`.

    Returns the widest duality gap, and the number of positions with mirror images counted. The hash
    table is only read: writes by one core would invalidate the cache lines that others read.
    """
    widest, positions = 0.0, 0
    for place in range(begin, end):
        known = values[find(keys, layer[place])]
        if known != UNSOLVED:
            worths[place] = known
            continue
        state = unpack(layer[place], rulings, layout)
        _, sign = locate(state, layout)
        worths[place] = 0.0
        if sign != 0:
            height, width = fill_payoff(state, layout, keys, values, workspace.payoff)
            lower, upper = solve_game(workspace, workspace.payoff, height, width)
            worths[place] = 0.5 * (lower + upper)
            widest = max(widest, upper - lower)
        positions += 1 if sign == 0 or not MIRRORED else 2
    return widest, positions
