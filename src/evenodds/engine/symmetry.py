"""Kernel that verifies a game's mirror symmetry at positions."""

from typing import Any

from evenodds.engine.game_functions import kernel, legal, mirror, outcome, pack, step, unpack
from evenodds.engine.layer_kernels import ONGOING


@kernel
def find_unmirrored(rulings: Any, layout: Any, layer: Any, begin: int, end: int) -> int:
    """The place of the first position that violates the mirror symmetry; `end` where none does.

    The same picks with the seats exchanged must lead to mirror images, or to opposite outcomes. If
    that holds for a position it holds for its image, so checking one of the two is enough.
    """
    for place in range(begin, end):
        state = unpack(layer[place], rulings, layout)
        image = mirror(state)
        first = legal(state, 0)
        second = legal(state, 1)
        right = legal(image, 0) == second and legal(image, 1) == first
        right = right and pack(mirror(image), layout) == layer[place]
        i = 0
        while right and first >> i:
            j = 0
            while right and first >> i & 1 and second >> j:
                if second >> j & 1:
                    child = step(state, (i, j))
                    across = step(image, (j, i))
                    here = outcome(child) + 0
                    there = outcome(across) + 0
                    if here != ONGOING:
                        right = there == -here
                    else:
                        right = there == here
                        right = right and mirror(child) == across
                j += 1
            i += 1
        if not right:
            return place
    return end
