"""Solver for large games: compiled kernels over packed positions, on all cores."""

from typing import Final

import numpy as np

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import BadGame
from evenodds.core.vocabulary import Settled
from evenodds.engine.backward_induction import solve_rounds
from evenodds.engine.compile import kernels_of, shared_kernel
from evenodds.engine.components import for_kernel, settled
from evenodds.engine.graph import Graph
from evenodds.engine.listing import Listing
from evenodds.engine.positions import BYTES_PER_POSITION, PositionEnumerator, PositionLayers
from evenodds.engine.solution_files import SolvedPositions
from evenodds.engine.symmetry import check_mirror
from evenodds.engine.winning_picks import Turns, fill_winning_picks, list_of, workspace
from evenodds.system.progress import Progress

MAX_PICKS_TO_END: Final = 32_767
"""The largest code that 16 bits hold."""


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
        check_mirror(game, rulings, layers, kernels, progress)
    if listing is not None and not game.simultaneous:
        return solve_turns(Graph(listing), progress)
    return solve_rounds(rulings, layers, kernels, progress)


def solve_turns(graph: Graph, progress: Progress) -> SolvedPositions:
    """Retrograde analysis over all links, and a pick for each; of two mirror images one is kept."""
    count, ends = graph.size, np.zeros(len(graph.ends), np.int64)
    sides, outcomes = 1 - 2 * graph.movers, graph.outcomes.astype(np.int64)
    codes = settled(graph, sides, outcomes)
    progress("solving positions", count, count)
    if np.abs(codes).max() > MAX_PICKS_TO_END:
        raise BadGame(f"best play takes more than {MAX_PICKS_TO_END:,} picks, which is not kept")
    values, far = np.append(np.sign(codes), outcomes), np.append(np.abs(codes), ends)
    links = (graph.begins, graph.targets, graph.picks, sides, values, far)
    turns = Turns(*for_kernel(graph.is_compiled, *links))
    filled = np.full if graph.is_compiled else list_of
    chosen, fill = filled(count, 0), shared_kernel(fill_winning_picks, graph.is_compiled)
    fill(turns, workspace(turns, filled), chosen, False)
    order = np.argsort(graph.keys)
    if graph.game.mirror is not None:
        order = order[graph.keys[order] <= graph.keys[graph.images()[order]]]
    found, picks = codes[order].astype(np.int16), np.asarray(chosen)[order].astype(np.uint8)
    return SolvedPositions(graph.layout, graph.keys[order], found, count, 0.0, picks)
