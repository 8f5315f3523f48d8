"""Best responses to a strategy, by backward induction over blocks, or along links."""

from typing import Any, NamedTuple

import numpy as np

from evenodds.core.vocabulary import FIRST, PASS, Seat
from evenodds.engine.compile import shared_kernel
from evenodds.engine.components import picks_to_end, settled
from evenodds.engine.flows import sum_backwards
from evenodds.engine.graph import Graph
from evenodds.engine.link_kernels import Links, raise_worths
from evenodds.engine.strategy_shares import StrategyShares

SWEEPS_BEFORE_SOLVING = 200
"""Sweeps over large components before what the picks so far are worth is solved for."""
TIE_TOLERANCE = 1e-12
"""Links this near to the best are as good: rounding must not choose one that never ends play."""


class BestResponse(NamedTuple):
    """The best response of a seat: its value at the start for the seat, and a pick by place."""

    value: float
    picks: Any


def best_response_to(
    graph: Graph, strategy: StrategyShares, seat: Seat, repetition: int
) -> BestResponse:
    """The best response of a seat to a strategy of the other.

    In games with loops, where the seat can keep the match open for ever it has a draw at least.
    With `repetition` the match is drawn when a position comes up so many times, and the picks are
    those for the first time.
    """
    if not graph.game.loops:
        return _block_response(graph, strategy, seat)
    own = graph.uniform(seat)
    sides = (own, strategy) if seat == FIRST else (strategy, own)
    return link_response(graph, graph.link_shares(*sides), seat, repetition)


def _block_response(graph: Graph, strategy: StrategyShares, seat: Seat) -> BestResponse:
    values = np.append(np.zeros(graph.size), _worths_of_ends(graph, seat))
    picks = np.zeros(graph.size, np.int8)
    subscripts = "nij,nj->ni" if seat == FIRST else "nij,ni->nj"
    for number in reversed(range(len(graph.blocks))):
        block, theirs = graph.blocks[number], strategy[number]
        for piece in block.pieces():
            places = block.places[piece]
            expected = np.einsum(subscripts, values[block.targets[piece]], theirs[piece])
            best = expected.argmax(axis=1)
            rows = np.arange(len(best))
            values[places] = expected[rows, best]
            picks[places] = block.numbers(seat)[piece][rows, best]
    return BestResponse(float(values[0]), picks)


def link_response(graph: Graph, shares: Any, seat: Seat, repetition: int) -> BestResponse:
    """The best response of a seat in a game of turns to the other's shares of links."""
    own, ends, components = graph.movers == seat, _worths_of_ends(graph, seat), graph.components
    if not components.has_cycles:
        worths, best = _raised(graph, components.kernel_links, shares, own, ends)
    elif repetition:
        copies = graph.unrolled(repetition)
        links = copies.links._replace(inner=copies.goes_round)  # of equals one that does not
        given = shares[copies.originals], own[copies.places], np.append(ends, 0.0)
        worths, best = _raised(graph, links, *given)
        best = copies.originals[best[copies.first]]
    else:
        worths, best = _endless_response(graph, shares, own, ends)
    picks = np.where(own, graph.picks[best], PASS)
    return BestResponse(min(1.0, float(worths[0])), picks)


def _raised(graph: Graph, links: Links, shares: Any, own: Any, ends: Any) -> tuple[Any, Any]:
    """The worths of positions and ends and the best links: one pass, as there are no cycles."""
    worths, best = np.append(np.full(own.size, -1.0), ends), np.full(own.size, -1)
    given = graph.components.for_kernel(shares, own, worths, best)
    shared_kernel(raise_worths, graph.is_compiled)(links, *given[:2], 1, *given[2:])
    return np.asarray(given[2]), np.asarray(given[3])


def _endless_response(graph: Graph, shares: Any, own: Any, ends: Any) -> tuple[Any, Any]:
    """The same where a match may go on for ever, and a seat that can stay so has a draw at least.

    Value iteration from below, and what the best links so far are worth in between, as iteration
    alone converges slowly; rarely in large components, where that takes long to solve for.
    """
    components, chooses = graph.components, own[graph.sources]
    # From below, since the value is the least fixed point above the floor. In a greater one the
    # positions of a cycle may promise each other a win that none of them reaches.
    forced = settled(graph, np.where(own, 1, -1), np.full(ends.size, -1), chooses | (shares > 0))
    worths, best = np.append(np.where(forced, -1.0, 0.0), ends), np.full(graph.size, -1)
    given = components.for_kernel(shares, own, worths, best)
    # Interpreted, many sweeps over a large component would take longer than to compile them.
    run = shared_kernel(raise_worths, graph.is_compiled or components.has_large)
    sweeps = SWEEPS_BEFORE_SOLVING if components.has_large else 1
    while not run(components.kernel_links, *given[:2], sweeps, *given[2:]):
        chosen = np.arange(chooses.size) == np.asarray(given[3])[graph.sources]
        found = sum_backwards(graph, np.where(chooses, chosen, shares), ends)
        given[2][:] = np.maximum(given[2], found).tolist()
    worths = np.asarray(given[2])
    return worths, _soonest_of_best(graph, worths, own, shares)


def _soonest_of_best(graph: Graph, worths: Any, own: Any, shares: Any) -> Any:
    """Of the best links of each position the first that leads to an end soonest.

    A link that keeps the worth need not earn it: play might go round for ever.
    """
    best = worths[graph.targets] >= worths[graph.sources] - TIE_TOLERANCE
    kept = np.where(own[graph.sources], best, shares > 0)
    picks = picks_to_end(graph, kept).astype(float)
    picks[picks == 0] = graph.size + 1  # never
    far = np.append(picks, np.zeros(len(graph.ends)))[graph.targets]
    far[~best] = np.inf
    nearest = far == np.minimum.reduceat(far, graph.begins[:-1])[graph.sources]
    links = np.where(nearest, np.arange(far.size), far.size)
    return np.minimum.reduceat(links, graph.begins[:-1])


def _worths_of_ends(graph: Graph, seat: Seat) -> Any:
    return graph.outcomes if seat == FIRST else -graph.outcomes
