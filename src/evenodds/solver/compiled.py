"""Solver for large games: compiled kernels over packed positions, on all cores."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import BadGame, game_fault
from evenodds.core.validation import GameValidator
from evenodds.core.vocabulary import Settled
from evenodds.graph import (
    BYTES_PER_POSITION,
    MAX_PICKS,
    Graph,
    Keys,
    Listing,
    PositionEnumerator,
    PositionLayers,
    SolvedPositions,
    empty_key_set,
    key_set_slots,
)
from evenodds.kernels import (
    EMPTY_SLOT,
    UNSOLVED,
    GameKernels,
    kernels_of,
    packing,
    shared_kernel,
    split_range,
    worker_threads,
)
from evenodds.simplex.dictionary import as_arrays, make_dictionary
from evenodds.system.progress import Progress

MAX_PICKS_TO_END: Final = 32_767
"""The largest code that 16 bits hold."""
MAX_MIRRORS_PER_LAYER: Final = 1 << 16
"""Positions of a layer that are compared with their mirror images: all, or so many spread out."""


def solve_compiled(
    game: AnyGame,
    rulings: Settled,
    memory: int,
    progress: Progress,
    kernels: GameKernels | None = None,
    listed: Listing | None = None,
) -> SolvedPositions:
    """List and solve every position; `memory` is a limit in bytes.

    A listing of a game without a mirror need not be made again.
    """
    kernels = kernels or kernels_of(game, True)
    if listed is not None:
        listing = PositionLayers(listed.layout, list(listed.layers))  # which the solver consumes
    else:
        most = memory // BYTES_PER_POSITION
        listing = PositionEnumerator(game, rulings, kernels, most, progress).run()
    if game.mirror is not None:
        _check_mirror(game, rulings, listing, kernels, progress)
    if game.simultaneous:
        return _solve_rounds(rulings, listing, kernels, progress)
    if listed is not None:
        return _solve_links(listed.graph, progress)
    return _solve_turns(rulings, listing, kernels, progress)


def _check_mirror(
    game: AnyGame,
    rulings: Settled,
    listing: PositionLayers,
    kernels: GameKernels,
    progress: Progress,
) -> None:
    """Compare positions with their mirror images; `BadGame` where they differ.

    Only one of two images is solved, so a false mirror would certify false values.
    """
    samples = [_spread_out(layer, MAX_MIRRORS_PER_LAYER) for layer in listing.layers]
    done, total = 0, sum(sample.size for sample in samples)
    with worker_threads() as threads:
        for layer in samples:
            pieces = split_range(layer.size)
            ends = threads.map(
                lambda piece, layer=layer: kernels.find_unmirrored(
                    rulings, listing.layout, layer, *piece
                ),
                pieces,
            )
            for (begin, end), found in zip(pieces, ends, strict=True):
                if found < end:
                    state = packing(game.start(rulings)).unpack(
                        int(layer[found]), rulings, listing.layout
                    )
                    GameValidator(game, rulings).check(state)  # says what is wrong
                    raise game_fault(game, "mirror", state, "does not hold once it is compiled")
                done += end - begin
                progress("checking mirror images of positions", done, total)


def _spread_out(layer: Keys, count: int) -> Keys:
    """At most so many positions of a layer, evenly spread, the same each time."""
    return layer if layer.size <= count else layer[np.arange(count) * layer.size // count]


def _solve_rounds(
    rulings: Settled, listing: PositionLayers, kernels: GameKernels, progress: Progress
) -> SolvedPositions:
    """Backward induction: each position is a matrix game over the next layer. Consumes the layers.

    The gaps of layers add up: an error of a child shifts the parent's payoffs by as much.
    """
    total = sum(layer.size for layer in listing.layers)
    done = positions = 0
    gap = 0.0
    with worker_threads() as threads:
        workspaces = [as_arrays(make_dictionary(MAX_PICKS, MAX_PICKS)) for _ in range(threads.size)]
        listed = np.concatenate(listing.layers)
        listed.sort(kind="stable")  # merges the layers, which are sorted
        listed = listed[np.diff(listed, prepend=-1) > 0]
        pairs = np.full((key_set_slots(listed.size), 2), UNSOLVED)
        keys, values = pairs.view(np.int64)[:, 0], pairs[:, 1]
        keys[:] = EMPTY_SLOT  # key and value interleaved: one cache line for both
        kernels.insert_all(keys, listed, listed)  # all are new: `listed` stays as it is
        while listing.layers:
            layer = listing.layers.pop()
            worths = np.empty(layer.size)

            def solve(
                piece: tuple[int, int], layer: Keys = layer, worths: Any = worths
            ) -> tuple[float, int]:
                # There is a workspace for each thread, so one is always left; `pop` and `append` of
                # a list are atomic, so no lock is needed.
                workspace = workspaces.pop()
                found: tuple[float, int] = kernels.solve_layer(
                    rulings, listing.layout, layer, *piece, keys, values, worths, workspace
                )
                workspaces.append(workspace)
                return found

            widest = 0.0
            pieces = split_range(layer.size)
            for piece, found in zip(pieces, threads.map(solve, pieces), strict=True):
                widest = max(widest, found[0])
                positions += found[1]
                done += piece[1] - piece[0]
                progress("solving positions", done, total)
            # All at once: writes during the solve would evict cache lines that other threads read.
            kernels.write_values(keys, values, layer, worths)
            gap += widest
    in_order = np.empty(listed.size)
    kernels.read_values(keys, values, listed, in_order)
    return SolvedPositions(listing.layout, listed, in_order, positions, gap)


def _solve_turns(
    rulings: Settled, listing: PositionLayers, kernels: GameKernels, progress: Progress
) -> SolvedPositions:
    """Retrograde analysis: wins and losses by number of picks; unsettled positions are draws.

    Threads write codes while others read them: a code of this pass is `depth`, which
    `turn_code` ignores, so that the order of writes does not matter.
    """
    listed = np.unique(np.concatenate(listing.layers))
    listing.layers.clear()
    keys = empty_key_set(key_set_slots(listed.size))
    codes = np.zeros(keys.size, np.int16)
    with worker_threads() as threads:
        kernels.insert_all(keys, listed, listed)  # all are new: `listed` stays as it is

        def settle(depth: int) -> int:
            counts = threads.map(
                lambda piece: kernels.settle_turns(
                    rulings, listing.layout, listed, *piece, keys, codes, depth
                ),
                split_range(listed.size),
            )
            return sum(counts)

        _settle_all(settle, listed.size, progress)
    found = np.empty(listed.size, np.int16)
    kernels.read_values(keys, codes, listed, found)
    return SolvedPositions(listing.layout, listed, found, listed.size, 0.0)


def _solve_links(graph: Graph, progress: Progress) -> SolvedPositions:
    """The same for positions whose links are needed anyway."""
    keys, codes = graph.keys, np.zeros(graph.size, np.int64)
    links = (graph.begins, graph.targets, graph.movers, graph.outcomes.astype(np.int64))
    settle = shared_kernel("settle_links")
    _settle_all(lambda depth: settle(*links, depth, codes), keys.size, progress)
    order = np.argsort(keys)
    found = codes[order].astype(np.int16)
    return SolvedPositions(graph.layout, keys[order], found, keys.size, 0.0)


def _settle_all(settle: Callable[[int], int], total: int, progress: Progress) -> None:
    """Settle positions by the number of picks to the end, until none is left that is settled."""
    depth = settled = 0
    fresh = 1
    while fresh:
        depth += 1
        if depth > MAX_PICKS_TO_END:
            raise BadGame(
                f"best play takes more than {MAX_PICKS_TO_END:,} picks, which is not kept"
            )
        fresh = settle(depth)
        settled += fresh
        progress("solving positions", settled, total)
