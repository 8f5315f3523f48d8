"""Solver for large games: compiled kernels over packed positions, on all cores."""

from typing import Any, Final

import numpy as np

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import BadGame, game_fault
from evenodds.core.validation import GameValidator
from evenodds.core.vocabulary import Settled
from evenodds.engine.compile import GameKernels, kernels_of
from evenodds.engine.graph import Graph
from evenodds.engine.key_tables import (
    EMPTY_SLOT,
    Keys,
    insert_all,
    key_set_slots,
    read_values,
    write_values,
)
from evenodds.engine.layer_kernels import UNSOLVED, solve_layer
from evenodds.engine.listing import Listing
from evenodds.engine.position_keys import packing
from evenodds.engine.positions import (
    BYTES_PER_POSITION,
    MAX_PICKS,
    PositionEnumerator,
    PositionLayers,
)
from evenodds.engine.retrograde import MAX_PICKS_TO_END, settled
from evenodds.engine.simplex import as_arrays, make_dictionary
from evenodds.engine.solution_files import SolvedPositions
from evenodds.engine.symmetry import find_unmirrored
from evenodds.engine.threads import split_range, worker_threads
from evenodds.system.progress import Progress

MAX_MIRRORS_PER_LAYER: Final = 1 << 16
"""Positions of a layer that are compared with their mirror images: all, or so many spread out."""


def solve_compiled(
    game: AnyGame,
    rulings: Settled,
    memory: int,
    progress: Progress,
    listing: Listing | None = None,
    compiled: bool = True,
) -> SolvedPositions:
    """List and solve every position; `memory` is a limit in bytes.

    A listing that there is already is used where it can be.
    """
    if not game.simultaneous:
        listing = listing or Listing(game, rulings, progress, memory=memory, compiled=compiled)
        layers, kernels = PositionLayers(listing.layout, listing.layers), listing.kernels
    elif listing is not None and game.mirror is None:
        # The solver consumes the layers. Of two mirror images a listing has both, but it needs one.
        layers, kernels = PositionLayers(listing.layout, list(listing.layers)), listing.kernels
    else:
        most, kernels = memory // BYTES_PER_POSITION, kernels_of(game, compiled)
        layers = PositionEnumerator(game, rulings, kernels, most, progress).run()
    if game.mirror is not None:
        _check_mirror(game, rulings, layers, kernels, progress)
    if listing is not None and not game.simultaneous:
        return _solve_turns(Graph(listing), progress)
    return _solve_rounds(rulings, layers, kernels, progress)


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
                lambda piece, layer=layer: kernels(find_unmirrored)(
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
        kernels.shared(insert_all)(keys, listed, listed)  # all are new: `listed` stays as it is
        solve_piece = kernels(solve_layer)
        while listing.layers:
            layer = listing.layers.pop()
            worths = np.empty(layer.size)

            def solve(
                piece: tuple[int, int], layer: Keys = layer, worths: Any = worths
            ) -> tuple[float, int]:
                # There is a workspace for each thread, so one is always left; `pop` and `append` of
                # a list are atomic, so no lock is needed.
                workspace = workspaces.pop()
                found: tuple[float, int] = solve_piece(
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
            kernels.shared(write_values)(keys, values, layer, worths)
            gap += widest
    in_order = np.empty(listed.size)
    kernels.shared(read_values)(keys, values, listed, in_order)
    return SolvedPositions(listing.layout, listed, in_order, positions, gap)


def _solve_turns(graph: Graph, progress: Progress) -> SolvedPositions:
    """Retrograde analysis over all links; of two mirror images one is stored."""
    count = graph.size
    codes = settled(graph, 1 - 2 * graph.movers, graph.outcomes.astype(np.int64))
    progress("solving positions", count, count)
    if np.abs(codes).max() > MAX_PICKS_TO_END:
        raise BadGame(f"best play takes more than {MAX_PICKS_TO_END:,} picks, which is not kept")
    order = np.argsort(graph.keys)
    if graph.game.mirror is not None:
        order = order[graph.keys[order] <= graph.keys[graph.images()[order]]]
    found = codes[order].astype(np.int16)
    return SolvedPositions(graph.layout, graph.keys[order], found, count, 0.0)
