"""Values where positions come back that are not only won, drawn or lost.

So it is with chance, or where both pick at once. In turns both seats respond to each other until
neither gains: then the value is known, endless play being a draw, and each has picks that earn it.
Elsewhere bounds are narrowed from below and from above, by what the bounds of the next positions
make of each. Likely values are iterated from a draw on, between the bounds; what the best mixes for
these guarantee are bounds, too. Mostly they meet. Where no mix earns the value they stay apart.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from evenodds.core.rule_checks import TooLarge
from evenodds.core.vocabulary import FIRST, SECOND, other
from evenodds.engine.compile import shared_kernel
from evenodds.engine.graph import Block, Graph
from evenodds.engine.matrix_batch import solve_matrices
from evenodds.engine.responses import endless_response, respond_at_once
from evenodds.engine.simplex import make_workspace
from evenodds.engine.solution import Solution
from evenodds.engine.solution_files import SolvedPositions
from evenodds.engine.strategies import policy_shares
from evenodds.system import Progress

CLOSE_ENOUGH: Final = 1e-13
"""Bounds this near are one value, as far as rounding tells."""
MAX_SWEEPS: Final = 20_000
MAX_REPLIES: Final = 50
AGREEMENT: Final = 1e-11
"""How far apart the best responses of both seats may be to be one value."""
SWEEPS_BETWEEN_CHECKS: Final = 100
STALLED: Final = 0.999
"""The share of the widest gap that so many sweeps leave where the bounds will not meet."""


def solve_by_iteration(graph: Graph, progress: Progress) -> SolvedPositions:
    """The values of all positions, with a pick for each in turns; of two mirror images one is kept.

    The gap is the widest between the bounds of any position.
    """
    return _table(graph, *(_agreed(graph) or _narrowed(graph, progress)))


def _table(graph: Graph, values: Any, gap: float, picks: Any = None) -> SolvedPositions:
    order, found = np.argsort(graph.keys), values[: graph.size]
    if graph.game.mirror is not None:
        images = graph.images()
        found[images == np.arange(graph.size)] = 0.0
        order = order[graph.keys[order] <= graph.keys[images[order]]]
    picks = None if picks is None else picks.astype(np.uint8)[order]
    gap = max(gap, 0.0)  # less is rounding
    return SolvedPositions(graph.layout, graph.keys[order], found[order], graph.size, gap, picks)


def _agreed(graph: Graph) -> tuple[Any, float, Any] | None:
    """Values and picks in turns to which the best responses agree; None where they do not."""
    best, drawn = graph.begins[:-1], graph.is_drawn[graph.sources]
    for _ in range(0 if graph.game.simultaneous else MAX_REPLIES):
        shares = np.where(drawn, graph.weights, best[graph.sources] == np.arange(drawn.size))
        try:
            (one, ones), (two, twos) = (
                endless_response(graph, shares, graph.movers == seat, side * graph.outcomes)
                for seat, side in ((FIRST, 1), (SECOND, -1))
            )
        except TooLarge:  # a loop to eliminate
            return None
        if (gap := float((one + two).max())) <= AGREEMENT:
            return 0.5 * (one - two), gap, graph.picks[best]
        best = np.where(graph.movers == FIRST, ones, twos)
    return None


def _narrowed(graph: Graph, progress: Progress) -> tuple[Any, float]:
    """Values half way between the bounds, or between what their mixes guarantee; and the gap."""
    worths, fair = np.append(graph.outcomes, 0.0), np.zeros(graph.size, bool)
    if graph.game.mirror is not None:
        fair = graph.images() == np.arange(graph.size)
    lower, likely, upper = bounds = [
        np.append(np.where(fair, 0.0, worth), graph.outcomes)
        for worth in (worths.min(), 0.0, worths.max())
    ]
    gap, before, sweeps = 2.0, np.inf, max(SWEEPS_BETWEEN_CHECKS, len(graph.blocks))
    for sweep in range(1, MAX_SWEEPS + 1):
        # There and back: so news of an end crosses the graph wherever it lies.
        for block in reversed(graph.blocks) if sweep % 2 else graph.blocks:
            low, some, high = _bounds(block, bounds)
            np.maximum.at(lower, block.places, low)
            np.minimum.at(upper, block.places, high)
            likely[block.places] = some
        gap = float((upper - lower).max())
        if gap <= CLOSE_ENOUGH:
            break
        if sweep % sweeps == 0:
            np.clip(likely, lower, upper, out=likely)
            low, high = _guaranteed(graph, likely)
            np.maximum(lower[: graph.size], low, out=lower[: graph.size])
            np.minimum(upper[: graph.size], high, out=upper[: graph.size])
            values = np.clip(likely, lower, upper)
            # The mixes are those of these values, so they are the ones that guarantee them.
            if max((high - low).max(), abs(values - likely).max()) <= AGREEMENT:
                return values, float((high - low).max())
            likely[:] = values
            if (upper - lower).sum() > STALLED * before:
                break
            before = (upper - lower).sum()
            progress("narrowing values", sweep, 0)
    return 0.5 * (lower + upper), gap


def _guaranteed(graph: Graph, values: Any) -> tuple[Any, Any]:
    """What each seat's best mixes for some values earn against the best response, as bounds."""
    solution = Solution(graph.game, graph.rulings, _table(graph, values.copy(), 0.0))
    try:
        second, first = (
            respond_at_once(graph, policy_shares(graph, solution, other(seat)), seat)[0]
            for seat in (SECOND, FIRST)
        )
    except TooLarge:  # a loop to eliminate
        return np.full(graph.size, -1.0), np.ones(graph.size)
    return -second, first


def _bounds(block: Block, bounds: Sequence[Any]) -> Any:
    """Better bounds at the positions of a block, and values between them."""
    worths = [block.worths(values, slice(None)) for values in bounds]
    if block.weights is not None:
        return [(block.weights * each[:, :, 0]).sum(axis=1) for each in worths]
    count, height, width = worths[0].shape
    if 1 in (height, width):  # one of them has nothing to decide
        return [each.max(axis=1).min(axis=1) for each in worths]
    solve, work = shared_kernel(solve_matrices), make_workspace(height, width, np.array)
    found = []
    for payoffs, side in zip(worths, (-0.5, 0.0, 0.5), strict=True):
        values, gaps = np.empty((2, count))
        mixes = map(np.empty, ((count, height), (count, width)))
        solve(payoffs, 0, count, values, gaps, *mixes, work)
        found.append(values + side * gaps)
    return found
