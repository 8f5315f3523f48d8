"""Values where positions come back that are not only won, drawn or lost.

So it is with chance, or where both pick at once. Bounds are narrowed from below and from above, by
what the bounds of the next positions make of each. The value lies between them whatever endless
play is worth: no less than a loss, and no more than a win. Where they do not meet in a game of
turns, play is sought to which both best responses agree, endless play being a draw; else they stay
apart.
"""

from typing import Any, Final

import numpy as np

from evenodds.core.vocabulary import FIRST, SECOND
from evenodds.engine.compile import shared_kernel
from evenodds.engine.graph import Block, Graph
from evenodds.engine.link_kernels import WORTH_TOLERANCE
from evenodds.engine.matrix_batch import solve_matrices
from evenodds.engine.responses import endless_response
from evenodds.engine.simplex import make_workspace
from evenodds.engine.solution_files import SolvedPositions
from evenodds.figures import VALUE_TOLERANCE
from evenodds.system import Progress

CLOSE_ENOUGH: Final = 1e-13
"""Bounds this near are one value, as far as rounding tells."""
MAX_SWEEPS: Final = 20_000
SWEEPS_BETWEEN_CHECKS: Final = 100
MAX_REPLIES: Final = 50
"""How often both seats respond to each other where the bounds do not meet."""
AGREEMENT: Final = 1e-11
"""How far apart the responses of both seats may be to be one value."""
STALLED: Final = 0.999
"""The share of the widest gap that so many sweeps leave where the bounds will not meet."""


def solve_by_iteration(graph: Graph, progress: Progress) -> SolvedPositions:
    """The values of all positions, half way between the bounds; of two mirror images one is kept.

    The gap is the widest between the bounds of any position.
    """
    lower, upper = (np.append(np.full(graph.size, end), graph.outcomes) for end in (-1.0, 1.0))
    best = graph.begins[:-1].copy()
    gap, before, sweeps = 2.0, np.inf, max(SWEEPS_BETWEEN_CHECKS, len(graph.blocks))
    for sweep in range(1, MAX_SWEEPS + 1):
        # There and back: so news of an end crosses the graph wherever it lies.
        for block in reversed(graph.blocks) if sweep % 2 else graph.blocks:
            low, high = _bounds(block, lower, upper)
            _note_gains(graph, block, (lower, upper), best)
            np.maximum.at(lower, block.places, low)
            np.minimum.at(upper, block.places, high)
        gap = float((upper - lower).max())
        if gap <= CLOSE_ENOUGH:
            break
        if sweep % sweeps == 0:
            if (upper - lower).sum() > STALLED * before:
                break
            before = (upper - lower).sum()
            progress("narrowing values", sweep, 0)
    order, found, picks = np.argsort(graph.keys), 0.5 * (lower + upper), None
    if not graph.game.simultaneous:
        found, gap, best = _agreed(graph, found, gap, best)
        picks = graph.picks[best].astype(np.uint8) if gap <= VALUE_TOLERANCE else None
    found = found[: graph.size]
    if graph.game.mirror is not None:
        images = graph.images()
        found[images == np.arange(graph.size)] = 0.0
        order = order[graph.keys[order] <= graph.keys[images[order]]]
    picks = None if picks is None else picks[order]
    gap = max(gap, 0.0)  # less is rounding
    return SolvedPositions(graph.layout, graph.keys[order], found[order], graph.size, gap, picks)


def _note_gains(graph: Graph, block: Block, bounds: Any, best: Any) -> None:
    """Note in games of turns the links by which the own bound of the seat to move comes nearer.

    What is noted last earns the bound: it leads on to positions whose bounds were that near before.
    """
    if graph.game.simultaneous or block.weights is not None:
        return
    side = 1 if block.targets.shape[2] == 1 else -1
    known = side * bounds[side < 0]
    leads = known[block.targets].reshape(len(block.places), -1)
    gains = leads.max(axis=1) > known[block.places] + WORTH_TOLERANCE
    places = block.places[gains]
    best[places] = graph.begins[places] + leads.argmax(axis=1)[gains]


def _agreed(graph: Graph, values: Any, gap: float, best: Any) -> tuple[Any, float, Any]:
    """Values, the gap and the links taken, once the best responses to these agree."""
    found, drawn = best, graph.is_drawn[graph.sources]
    for _ in range(MAX_REPLIES if gap > CLOSE_ENOUGH else 0):
        taken = np.arange(drawn.size) == found[graph.sources]
        shares = np.where(drawn, graph.weights, taken)
        (one, ones), (two, twos) = (
            endless_response(graph, shares, graph.movers == seat, side * graph.outcomes)
            for seat, side in ((FIRST, 1), (SECOND, -1))
        )
        if (apart := float((one + two).max())) <= AGREEMENT:
            return 0.5 * (one - two), apart, found
        found = np.where(graph.movers == FIRST, ones, twos)
    return values, gap, best


def _bounds(block: Block, lower: Any, upper: Any) -> tuple[Any, Any]:
    """Better bounds at the positions of a block."""
    low, high = (block.worths(values, slice(None)) for values in (lower, upper))
    if block.weights is not None:
        return tuple((block.weights * worths[:, :, 0]).sum(axis=1) for worths in (low, high))
    count, height, width = low.shape
    if 1 in (height, width):  # one of them has nothing to decide
        return tuple(worths.max(axis=1).min(axis=1) for worths in (low, high))
    solve, work = shared_kernel(solve_matrices), make_workspace(height, width, np.array)
    bounds = []
    for worths, side in ((low, -0.5), (high, 0.5)):
        values, gaps = np.empty((2, count))
        solve(
            worths, 0, count, values, gaps, *map(np.empty, ((count, height), (count, width))), work
        )
        bounds.append(values + side * gaps)
    return bounds[0], bounds[1]
