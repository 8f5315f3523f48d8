"""Solver for large games: compiled kernels over packed positions, on all cores.

Where both pick at once by backward induction: each position is a matrix game over the next layer,
which is solved before. In turns by retrograde analysis over all links.
"""

from copy import copy
from math import inf
from typing import Any, Final

import numpy as np

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import MAX_POINTS, figure_fault
from evenodds.core.vocabulary import Settled, rule
from evenodds.engine.compile import kernels_of, shared_kernel
from evenodds.engine.components import for_kernel, settled
from evenodds.engine.game_functions import (
    HAS_CHANCE,
    HAS_REWARDS,
    MAX_PICKS,
    MIRRORED,
    ONGOING,
    fill_shares,
    kernel,
    locate,
    moves,
    outcome,
    reward,
    step,
    unpack,
)
from evenodds.engine.graph import Graph
from evenodds.engine.key_tables import Keys, find, key_table
from evenodds.engine.matrix_batch import scale
from evenodds.engine.position_keys import packing
from evenodds.engine.positions import (
    BYTES_PER_POSITION,
    Listing,
    PositionEnumerator,
    PositionLayers,
)
from evenodds.engine.simplex import make_workspace, solve_game
from evenodds.engine.solution_files import SolvedPositions
from evenodds.engine.symmetry import check_symmetries
from evenodds.engine.threads import WorkerThreads, split_range
from evenodds.engine.value_iteration import solve_by_iteration
from evenodds.engine.winning_picks import choose_picks, fill_winning_picks, list_of
from evenodds.system import Progress

UNSOLVED: Final = 1e300
"""A value that no position has."""


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
    found: PositionLayers
    has_links = game.is_combinatorial or game.loops
    if has_links:
        quick = compiled if game.is_combinatorial else None
        listing = listing or Listing(game, rulings, progress, memory=memory, compiled=quick)
        found = listing
    elif listing is not None and game.mirror is None and game.representative is None:
        found = copy(listing)  # the solver consumes the layers
        found.layers = list(listing.layers)
    else:  # a listing has all that are alike, of which the solver needs one
        most, kernels = memory // BYTES_PER_POSITION, kernels_of(game, compiled)
        found = PositionEnumerator(game, rulings, kernels, most, progress)
        found.run()
    check_symmetries(game, rulings, found, found.kernels, progress)
    if listing is None or not has_links:
        return solve_rounds(game, rulings, found, progress)
    solve = solve_turns if game.is_combinatorial else solve_by_iteration
    return solve(Graph(listing), progress)


def solve_turns(graph: Graph, progress: Progress) -> SolvedPositions:
    """Retrograde analysis over all links, and a pick for each; of two mirror images one is kept."""
    count, ends = graph.size, np.zeros(len(graph.ends), np.int64)
    sides, outcomes = 1 - 2 * graph.movers, graph.outcomes.astype(np.int64)
    codes = settled(graph, sides, outcomes)
    progress("solving positions", count, count)
    values, far = np.append(np.sign(codes), outcomes), np.append(np.abs(codes), ends)
    links = (graph.begins, graph.targets, graph.picks, sides, values, far)
    fill, filled = fill_winning_picks, np.full if graph.is_compiled else list_of
    fill = shared_kernel(fill, graph.is_compiled)
    chosen = choose_picks(fill, filled, False, *for_kernel(graph.is_compiled, *links))
    order = np.argsort(graph.keys)
    if graph.game.mirror is not None:
        order = order[graph.keys[order] <= graph.keys[graph.images()[order]]]
    found, picks = codes[order].astype(np.int16), np.asarray(chosen)[order].astype(np.uint8)
    return SolvedPositions(graph.layout, graph.keys[order], found, count, 0.0, picks)


@rule
def fill_payoff(
    state: Any, layout: Any, table: Any, values: Any, stakes: Any, payoff: Any
) -> tuple[int, int, float]:
    """Write the payoff matrix of a position, for the first seat; returns its height and width.

    And, in games about points, the most that can change hands from there on; `inf` where a step has
    too many.
    """
    first = moves(state, 0)
    second = moves(state, 1)
    height, width, stake = 0, 0, 0.0
    i = 0
    while first >> i:
        if first >> i & 1:
            width = 0
            j = 0
            while second >> j:
                if second >> j & 1:
                    child = step(state, (i, j))
                    worth = most = 1.0 * (outcome(child) + 0)
                    if worth == ONGOING:
                        key, sign = locate(child, layout)
                        worth = sign * values[find(table, key)] if sign != 0 else 0.0
                        if HAS_REWARDS:
                            most = stakes[find(table, key)]
                    payoff[height, width] = worth + reward(state, (i, j))
                    if HAS_REWARDS:
                        points = abs(1.0 * reward(state, (i, j)))
                        stake = max(stake, abs(most) + points if points <= MAX_POINTS else inf)
                    width += 1
                j += 1
            height += 1
        i += 1
    return height, width, stake


@kernel
def solve_layer(
    rulings: Any, layout: Any, layer: Any, begin: int, end: int, solved: Any, into: Any, work: Any
) -> tuple[float, int]:
    """Solve the positions of a layer whose children are solved: their places among all, and values.

    `solved` has the table of all positions, and figures of each: values, and in games about points
    what is at stake; `into` takes those of this layer. Returns the widest duality gap, and the
    number of positions with mirror images counted. Figures are only read: writes by one core would
    invalidate the cache lines that others read.
    """
    (table, figures), (places, found) = solved, into
    widest, positions, payoff, mix = 0.0, 0, work.payoff, work.row_mix
    values, stakes, worths, staked = figures[0], figures[-1], found[0], found[-1]
    for place in range(begin, end):
        known = find(table, layer[place])
        places[place], staked[place], worths[place] = known, stakes[known], values[known]
        if values[known] != UNSOLVED:
            continue
        state = unpack(layer[place], rulings, layout)
        _, sign = locate(state, layout)
        worths[place] = 0.0
        if sign != 0 or HAS_REWARDS:
            height, width, stake = fill_payoff(state, layout, table, values, stakes, payoff)
            if HAS_CHANCE and fill_shares(state, mix, 0) > 0:
                for row in range(height):
                    worths[place] += mix[row] * payoff[row, 0]
            elif sign != 0:
                low, span = scale(payoff, height, width, payoff) if HAS_REWARDS else (0.0, 1.0)
                lower, upper = solve_game(work, payoff, height, width)
                worths[place] = low + span * 0.5 * (lower + upper)
                widest = max(widest, span * (upper - lower))
            if HAS_REWARDS:
                staked[place] = stake
        positions += 1 if sign == 0 or not MIRRORED else 2
    return widest, positions


def solve_rounds(
    game: AnyGame, rulings: Settled, listing: PositionLayers, progress: Progress
) -> SolvedPositions:
    """Backward induction: each position is a matrix game over the next layer. Consumes the layers.

    The gaps of layers add up: an error of a child shifts the parent's payoffs by as much.
    """
    total = sum(layer.size for layer in listing.layers)
    done = positions = 0
    gap = 0.0
    with WorkerThreads() as threads:
        workspaces = [make_workspace(MAX_PICKS, MAX_PICKS, np.array) for _ in range(threads.size)]
        listed = np.concatenate(listing.layers)
        listed.sort(kind="stable")  # merges the layers, which are sorted
        listed = listed[np.diff(listed, prepend=-1) > 0]
        figures = np.full((2 if game.reward else 1, listed.size), UNSOLVED)
        table, solve_piece = key_table(listing.kernels, listed), listing.kernels(solve_layer)
        while listing.layers:
            layer = listing.layers.pop()
            places, solved = np.empty(layer.size, np.int64), np.empty((len(figures), layer.size))

            def solve(
                piece: tuple[int, int], layer: Keys = layer, into: Any = (places, solved)
            ) -> tuple[float, int]:
                # There is a workspace for each thread, so one is always left; `pop` and `append` of
                # a list are atomic, so no lock is needed.
                work, known = workspaces.pop(), (table, figures)
                counts: tuple[float, int] = solve_piece(
                    rulings, listing.layout, layer, *piece, known, into, work
                )
                workspaces.append(work)
                return counts

            widest = 0.0
            pieces = split_range(layer.size)
            for piece, found in zip(pieces, threads.map(solve, pieces), strict=True):
                widest = max(widest, found[0])
                positions += found[1]
                done += piece[1] - piece[0]
                progress("solving positions", done, total)
            faulty = ~np.isfinite(solved).all(axis=0)
            if faulty.any():
                unpack = packing(game.start(rulings)).unpack
                state = unpack(int(layer[faulty.argmax()]), rulings, listing.layout)
                raise figure_fault(game, state)
            # All at once: writes during the solve would evict cache lines that other threads read.
            for row, figure in zip(figures, solved, strict=True):
                row[places] = figure
            gap += widest
    stake = float(solved[1, 0]) or 1.0 if game.reward else 1.0
    return SolvedPositions(listing.layout, listed, figures[0], positions, gap, None, stake)
