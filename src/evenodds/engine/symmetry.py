"""The check that positions which pass for mirror images are such.

Only one of two images is solved, so a false mirror would certify false values.
"""

from typing import Any, Final

import numpy as np

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import BadGame, game_fault
from evenodds.core.validation import GameValidator
from evenodds.core.vocabulary import NOTHING, Settled
from evenodds.engine.compile import GameKernels
from evenodds.engine.game_functions import (
    ONGOING,
    chance,
    kernel,
    legal,
    mirror,
    outcome,
    pack,
    reward,
    step,
    unpack,
    weight,
)
from evenodds.engine.key_tables import Keys
from evenodds.engine.position_keys import packing
from evenodds.engine.positions import PositionLayers
from evenodds.engine.threads import WorkerThreads, split_range
from evenodds.system import Progress

MAX_MIRRORS_PER_LAYER: Final = 1 << 16
"""Positions of a layer that are compared with their mirror images: all, or so many spread out."""


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
        drawn = chance(state)
        right = legal(image, 0) == second and legal(image, 1) == first and chance(image) == drawn
        first = drawn if drawn != NOTHING else first
        right = right and pack(mirror(image), layout) == layer[place]
        i = 0
        while right and first >> i:
            j = 0
            while right and first >> i & 1 and second >> j:
                if second >> j & 1:
                    child = step(state, (i, j))
                    exchanged = (j, i) if drawn == NOTHING else (i, j)
                    across = step(image, exchanged)
                    here = outcome(child) + 0
                    there = outcome(across) + 0
                    right = reward(image, exchanged) == -reward(state, (i, j))
                    right = right and (drawn == NOTHING or weight(image, i) == weight(state, i))
                    if here != ONGOING:
                        right = right and there == -here
                    else:
                        right = right and there == here
                        right = right and mirror(child) == across
                j += 1
            i += 1
        if not right:
            return place
    return end


def check_mirror(
    game: AnyGame,
    rulings: Settled,
    listing: PositionLayers,
    kernels: GameKernels,
    progress: Progress,
) -> None:
    """Compare listed positions with their mirror images; `BadGame` where they differ."""
    find = kernels(find_unmirrored)
    samples = [_spread_out(layer, MAX_MIRRORS_PER_LAYER) for layer in listing.layers]
    done, total = 0, sum(sample.size for sample in samples)
    with WorkerThreads() as threads:
        for layer in samples:
            pieces = split_range(layer.size)
            ends = threads.map(
                lambda piece, layer=layer: find(rulings, listing.layout, layer, *piece), pieces
            )
            for (begin, end), found in zip(pieces, ends, strict=True):
                if found < end:
                    raise mirror_fault(game, rulings, listing.layout, int(layer[found]))
                done += end - begin
                progress("checking mirror images of positions", done, total)


def mirror_fault(game: AnyGame, rulings: Settled, layout: Any, key: int) -> BadGame:
    """What is wrong with a position whose mirror image is none."""
    state = packing(game.start(rulings)).unpack(key, rulings, layout)
    GameValidator(game, rulings).check(state)  # says it, where the rules themselves are wrong
    return game_fault(game, "mirror", state, "does not hold once it is compiled")


def _spread_out(layer: Keys, count: int) -> Keys:
    """At most so many positions of a layer, evenly spread, the same each time."""
    return layer if layer.size <= count else layer[np.arange(count) * layer.size // count]
