"""Solver for large games: compiled kernels over packed positions, on all cores.

Where both pick at once by backward induction: each position is a matrix game over the next layer,
which is solved before. In turns by retrograde analysis over all links.
"""

from math import nan
from typing import Any, Final

import numpy as np

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import MAX_POINTS, BadGame, figure_fault
from evenodds.core.vocabulary import NOTHING, Settled, rule
from evenodds.engine.compile import GameKernels, kernels_of, shared_kernel
from evenodds.engine.components import for_kernel, settled
from evenodds.engine.game_functions import (
    HAS_REWARDS,
    MAX_PICKS,
    MIRRORED,
    ONGOING,
    chance,
    checked_weight,
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
from evenodds.engine.winning_picks import Turns, fill_winning_picks, list_of, workspace
from evenodds.system import Progress

UNSOLVED: Final = 1e300
"""A value that no position has."""
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
    if game.is_combinatorial:
        listing = listing or Listing(game, rulings, progress, memory=memory, compiled=compiled)
        layers, kernels = PositionLayers(listing.layout, listing.layers), listing.kernels
    elif listing is not None and game.mirror is None and game.representative is None:
        # The solver consumes the layers. A listing has all that are alike, of which it needs one.
        layers, kernels = PositionLayers(listing.layout, list(listing.layers)), listing.kernels
    else:
        most, kernels = memory // BYTES_PER_POSITION, kernels_of(game, compiled)
        layers = PositionEnumerator(game, rulings, kernels, most, progress).run()
    check_symmetries(game, rulings, layers, kernels, progress)
    if listing is not None and game.is_combinatorial:
        return solve_turns(Graph(listing), progress)
    return solve_rounds(game, rulings, layers, kernels, progress)


def solve_loops(
    game: AnyGame, rulings: Settled, memory: int, progress: Progress, listing: Listing | None
) -> SolvedPositions:
    """List every position, and narrow its value from both sides."""
    listing = listing or Listing(game, rulings, progress, memory=memory)
    layers = PositionLayers(listing.layout, listing.layers)
    check_symmetries(game, rulings, layers, listing.kernels, progress)
    return solve_by_iteration(Graph(listing), progress)


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


@rule
def fill_payoff(state: Any, layout: Any, table: Any, values: Any, payoff: Any) -> tuple[int, int]:
    """Write the payoff matrix of a position, for the first seat; returns its height and width."""
    first = moves(state, 0)
    second = moves(state, 1)
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
                        worth = sign * values[find(table, key)] if sign != 0 else 0.0
                    payoff[height, width] = worth + reward(state, (i, j))
                    width += 1
                j += 1
            height += 1
        i += 1
    return height, width


@rule
def mean_of_draws(state: Any, payoff: Any) -> float:
    """What a draw is worth on average; the payoffs have a row for each number."""
    drawn = chance(state)
    total, worth, row = 0.0, 0.0, 0
    for number in range(MAX_PICKS):
        if number > 0 and drawn >> number & 1:
            worth += checked_weight(state, number) * payoff[row, 0]
            total += checked_weight(state, number)
            row += 1
    return worth / total


@rule
def stake_at(state: Any, layout: Any, table: Any, stakes: Any) -> float:
    """The most points that can change hands from a position on; nan where a step has too many."""
    most, first, second = 0.0, moves(state, 0), moves(state, 1)
    for i in range(MAX_PICKS):
        for j in range(MAX_PICKS):
            if first >> i & second >> j & 1:
                child = step(state, (i, j))
                stake = 1.0 * abs(outcome(child) + 0)
                if stake == ONGOING:
                    stake = stakes[find(table, locate(child, layout)[0])]
                points = 1.0 * reward(state, (i, j))
                if abs(points) > MAX_POINTS:
                    return nan
                most = max(most, abs(points) + stake)
    return most


@kernel
def solve_layer(
    rulings: Any,
    layout: Any,
    layer: Any,
    begin: int,
    end: int,
    table: Any,
    values: Any,
    places: Any,
    worths: Any,
    stakes: Any,
    staked: Any,
    workspace: Any,
) -> tuple[float, int]:
    """Solve the positions of a layer whose children are solved: their places among all, and values.

    And what is at stake there in games about points: `stakes` of all positions, `staked` of these.
    Returns the widest duality gap, and the number of positions with mirror images counted. `values`
    is only read: writes by one core would invalidate the cache lines that others read.
    """
    widest, positions = 0.0, 0
    for place in range(begin, end):
        places[place] = find(table, layer[place])
        known = values[places[place]]
        if known != UNSOLVED:
            worths[place] = known
            if HAS_REWARDS:
                staked[place] = stakes[places[place]]
            continue
        state = unpack(layer[place], rulings, layout)
        if HAS_REWARDS:
            staked[place] = stake_at(state, layout, table, stakes)
        _, sign = locate(state, layout)
        worths[place] = 0.0
        if sign != 0:
            height, width = fill_payoff(state, layout, table, values, workspace.payoff)
            if chance(state) != NOTHING:
                worths[place] = mean_of_draws(state, workspace.payoff)
            else:
                low, span = 0.0, 1.0
                if HAS_REWARDS:
                    low, span = scale(workspace.payoff, height, width, workspace.payoff)
                lower, upper = solve_game(workspace, workspace.payoff, height, width)
                worths[place] = low + span * 0.5 * (lower + upper)
                widest = max(widest, span * (upper - lower))
        positions += 1 if sign == 0 or not MIRRORED else 2
    return widest, positions


def solve_rounds(
    game: AnyGame,
    rulings: Settled,
    listing: PositionLayers,
    kernels: GameKernels,
    progress: Progress,
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
        table, values = key_table(kernels, listed), np.full(listed.size, UNSOLVED)
        solve_piece, has_stakes = kernels(solve_layer), bool(game.reward)
        stakes = staked = np.ones(listed.size if has_stakes else 1)
        while listing.layers:
            layer = listing.layers.pop()
            places, worths = np.empty(layer.size, np.int64), np.empty(layer.size)
            staked = np.empty(layer.size) if has_stakes else staked

            def solve(
                piece: tuple[int, int],
                layer: Keys = layer,
                found: Any = (places, worths, stakes, staked),
            ) -> tuple[float, int]:
                # There is a workspace for each thread, so one is always left; `pop` and `append` of
                # a list are atomic, so no lock is needed.
                workspace = workspaces.pop()
                counts: tuple[float, int] = solve_piece(
                    rulings, listing.layout, layer, *piece, table, values, *found, workspace
                )
                workspaces.append(workspace)
                return counts

            widest = 0.0
            pieces = split_range(layer.size)
            for piece, found in zip(pieces, threads.map(solve, pieces), strict=True):
                widest = max(widest, found[0])
                positions += found[1]
                done += piece[1] - piece[0]
                progress("solving positions", done, total)
            faulty = np.isnan(worths) if not has_stakes else np.isnan(worths + staked)
            if faulty.any():
                unpack = packing(game.start(rulings)).unpack
                state = unpack(int(layer[faulty.argmax()]), rulings, listing.layout)
                raise figure_fault(game, state)
            # All at once: writes during the solve would evict cache lines that other threads read.
            values[places] = worths
            if has_stakes:
                stakes[places] = staked
            gap += widest
    stake = float(staked[0]) or 1.0
    return SolvedPositions(listing.layout, listed, values, positions, gap, None, stake)
