"""Kernel that lists the positions which come after those of a layer."""

from typing import Any

from evenodds.core.vocabulary import Outcome
from evenodds.engine.game_functions import kernel, legal, locate, outcome, pack, step, unpack
from evenodds.engine.key_tables import insert

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
