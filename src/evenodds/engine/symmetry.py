"""The check that positions which pass for mirror images, or for alike, are such.

Only one of them is solved, so a false mirror or canonical form would certify false values.
"""

from typing import Any, Final

import numpy as np

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import BadGame, game_fault
from evenodds.core.validation import GameValidator
from evenodds.core.vocabulary import NOTHING, Settled, rule
from evenodds.engine.compile import GameKernels
from evenodds.engine.game_functions import (
    ONGOING,
    canonical,
    chance,
    kernel,
    legal,
    mirror,
    moves,
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

MAX_COMPARED_PER_LAYER: Final = 1 << 16
"""Positions of a layer that are compared: all, or so many spread out."""


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


@rule
def next_pick(picks: int, number: int) -> int:
    """The pick after a number; none is left where `picks` has no bit from it on."""
    number += 1
    while picks >> number and not picks >> number & 1:
        number += 1
    return number


@rule
def stands_for(other: Any, state: Any) -> bool:
    """Whether the k-th picks of a position and its canonical form pay and lead on alike."""
    if other == state:
        return True
    drawn = chance(state) != NOTHING
    is_open = outcome(other) + 0 == ONGOING and canonical(other) == other
    if not is_open or (chance(other) != NOTHING) != drawn:
        return False
    rows, columns = moves(state, 0), moves(state, 1)
    other_rows, other_columns = moves(other, 0), moves(other, 1)
    i, k = next_pick(rows, -1), next_pick(other_rows, -1)
    while rows >> i and other_rows >> k:
        if drawn and weight(state, i) != weight(other, k):
            return False
        j, m = next_pick(columns, -1), next_pick(other_columns, -1)
        while columns >> j and other_columns >> m:
            one, two = step(state, (i, j)), step(other, (k, m))
            end = outcome(one) + 0
            if outcome(two) + 0 != end or reward(state, (i, j)) != reward(other, (k, m)):
                return False
            if end == ONGOING and canonical(one) != canonical(two):
                return False
            j, m = next_pick(columns, j), next_pick(other_columns, m)
        if columns >> j or other_columns >> m:
            return False
        i, k = next_pick(rows, i), next_pick(other_rows, k)
    return not (rows >> i or other_rows >> k)


@kernel
def find_unlike(rulings: Any, layout: Any, layer: Any, begin: int, end: int) -> int:
    """The first position that leads to one which its canonical form is not like; or `end`."""
    for place in range(begin, end):
        state = unpack(layer[place], rulings, layout)
        first, second = moves(state, 0), moves(state, 1)
        i = next_pick(first, -1)
        while first >> i:
            j = next_pick(second, -1)
            while second >> j:
                child = step(state, (i, j))
                image = mirror(child)
                if outcome(child) + 0 == ONGOING and not (
                    stands_for(canonical(child), child) and stands_for(canonical(image), image)
                ):
                    return place
                j = next_pick(second, j)
            i = next_pick(first, i)
    return end


def check_symmetries(
    game: AnyGame,
    rulings: Settled,
    listing: PositionLayers,
    kernels: GameKernels,
    progress: Progress,
) -> None:
    """Compare listed positions with their mirror images, and what follows with what stands for it.

    `BadGame` where they differ.
    """
    for role, find in (("mirror", find_unmirrored), ("representative", find_unlike)):
        if getattr(game, role) is not None:
            _compare(game, rulings, listing, kernels(find), progress)


def _compare(
    game: AnyGame, rulings: Settled, listing: PositionLayers, find: Any, progress: Progress
) -> None:
    samples = [_spread_out(layer, MAX_COMPARED_PER_LAYER) for layer in listing.layers]
    done, total = 0, sum(sample.size for sample in samples)
    with WorkerThreads() as threads:
        for layer in samples:
            pieces = split_range(layer.size)
            ends = threads.map(
                lambda piece, layer=layer: find(rulings, listing.layout, layer, *piece), pieces
            )
            for (begin, end), found in zip(pieces, ends, strict=True):
                if found < end:
                    raise symmetry_fault(game, rulings, listing.layout, int(layer[found]))
                done += end - begin
                progress("comparing positions", done, total)


def symmetry_fault(game: AnyGame, rulings: Settled, layout: Any, key: int) -> BadGame:
    """What is wrong with a position whose mirror image is none, or with one that it leads to."""
    state = packing(game.start(rulings)).unpack(key, rulings, layout)
    validator = GameValidator(game, rulings)
    for picks in validator.check(state).pairs():  # says it, where the rules themselves are wrong
        child = game.step(state, picks)
        for image in (child, game.mirror(child) if game.mirror else child):
            validator.check(image)
    role = "mirror" if game.mirror else "canonical"
    return game_fault(game, role, state, "does not hold once it is compiled")


def _spread_out(layer: Keys, count: int) -> Keys:
    """At most so many positions of a layer, evenly spread, the same each time."""
    return layer if layer.size <= count else layer[np.arange(count) * layer.size // count]
