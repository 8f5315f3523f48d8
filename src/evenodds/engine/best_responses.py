"""Best responses to a strategy, by backward induction over blocks or component layers."""

from typing import Any, NamedTuple

import numpy as np

from evenodds.core.vocabulary import FIRST, PASS, Seat
from evenodds.engine.compile import shared_kernel
from evenodds.engine.component_kernels import ComponentGraph
from evenodds.engine.components import ComponentLayer, fixed_point, kernel_arrays
from evenodds.engine.expected_visits import STEPS_BEFORE_SOLVING
from evenodds.engine.graph import Graph
from evenodds.engine.strategy_shares import StrategyShares


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
    outcomes = graph.outcomes
    values = np.concatenate([np.zeros(graph.size), outcomes if seat == FIRST else -outcomes])
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
    if repetition or not graph.has_cycles:
        worths, best = _first_worths(graph, seat), np.zeros(graph.size, np.int64)
        compiled = graph.is_compiled
        arrays = kernel_arrays(compiled, shares, graph.movers == seat, worths, best)
        components = ComponentGraph(*kernel_arrays(compiled, *graph.components))
        shared_kernel("respond", compiled)(components, *arrays[:2], repetition, *arrays[2:])
        worths, best = arrays[2:]
    else:
        solver = ResponseSolver(graph, shares, seat)
        for layer in graph.layers:
            solver.find(layer)
        worths, best = solver.worths, solver.best
    picks = np.where(graph.movers == seat, graph.picks[best], PASS)
    return BestResponse(min(1.0, float(worths[0])), picks)


def _first_worths(graph: Graph, seat: Seat) -> Any:
    """The worths of ends for a seat, after those of positions, which are not known yet."""
    ends = graph.outcomes if seat == FIRST else -graph.outcomes
    return np.concatenate([np.zeros(graph.size), ends])


class ResponseSolver:
    """Best responses where matches may be endless, layer by layer from the ends back."""

    def __init__(self, graph: Graph, shares: Any, seat: Seat) -> None:
        self.graph = graph
        self.shares = shares
        self.own = graph.movers == seat
        self.worths = _first_worths(graph, seat)
        self.best = np.zeros(graph.size, np.int64)

    def find(self, layer: ComponentLayer) -> None:
        """Solve one layer; the layers that it leads to are solved."""
        response = LayerResponse(layer, self)
        if layer.inner.size:
            response.iterate_values()
        else:
            self.worths[layer.places] = np.where(response.own, response.most, response.mean)
            self.best[layer.places] = layer.links[response.first_best()]


class LayerResponse:
    """The best response in one layer, with what leaving each position's component is worth."""

    def __init__(self, layer: ComponentLayer, solver: ResponseSolver) -> None:
        self.layer = layer
        self.solver = solver
        self.own = solver.own[layer.places]
        self.parts = solver.shares[layer.links]
        self.inner = layer.is_inner()
        leads = solver.worths[layer.targets]
        self.leads = np.where(self.inner, -np.inf, leads)
        """The value of each link; -inf for inner links, which are not known yet."""
        self.most = np.maximum.reduceat(self.leads, layer.begins)
        self.mean = layer.sum_links(np.where(self.inner, 0.0, self.parts * leads))

    def first_best(self) -> Any:
        """For each position the first of its best links that leave the component."""
        layer = self.layer
        places = np.arange(layer.links.size)
        best = np.where(self.leads == self.most[layer.rows], places, places.size)
        return np.minimum.reduceat(best, layer.begins)

    def can_stay(self) -> Any:
        """The positions where the seat can stay in the component for ever, whatever the reply."""
        layer = self.layer

        def stay(some: Any) -> Any:
            stays = np.zeros(self.parts.size, bool)
            stays[layer.inner] = layer.at_inner_targets(some)
            # The seat needs one link that stays; of the other seat every likely link must stay.
            one = np.logical_or.reduceat(stays, layer.begins)
            every = np.logical_and.reduceat(stays | (self.parts == 0), layer.begins)
            return some & np.where(self.own, one, every)

        # The greatest fixed point: positions are removed until every one left can stay among them.
        return fixed_point(np.ones(self.own.size, bool), stay)

    def iterate_values(self) -> None:
        """Values and best links where a match may stay in a component for ever.

        Value iteration from below, with policy evaluation of the best links so far in between, as
        iteration alone converges slowly; rarely in large components, where evaluation is expensive.
        A seat that can stay for ever has a draw at least.
        """
        layer, graph = self.layer, self.solver.graph
        sweeps = STEPS_BEFORE_SOLVING if layer.is_large else 1
        # Interpreted, many sweeps over a large component would take longer than to compile them.
        run = shared_kernel("raise_worths", graph.is_compiled or layer.is_large)
        worths, best = self.solver.worths, self.solver.best
        # From below, since the value is the least fixed point above the floor. In a greater one the
        # positions of a cycle may promise each other a win that none of them reaches.
        worths[layer.places] = np.where(self.can_stay(), 0.0, -1.0)
        best[layer.places] = -1
        state = (self.solver.shares, self.solver.own, layer.places, sweeps, worths, best)
        while not run(graph.components, *state):
            worths[layer.places] = np.maximum(worths[layer.places], self._policy_values())

    def _policy_values(self) -> Any:
        """Policy evaluation: the values of positions when the seat takes the best links so far."""
        layer = self.layer
        rows = layer.inner_rows
        best = self.solver.best[layer.places] - layer.links[layer.begins] + layer.begins
        goes_on = self.inner[best] & self.own
        known = np.where(self.own, np.where(goes_on, 0.0, self.leads[best]), self.mean)
        parts = np.where(self.own[rows], layer.inner == best[rows], self.parts[layer.inner])
        likely = np.logical_or.reduceat((self.parts > 0) & ~self.inner, layer.begins)
        ending = layer.reaching(parts > 0, np.where(self.own, ~goes_on, likely))
        # Play that never leaves the component is a draw; with its links left in, the system of
        # equations would be singular.
        known[~ending] = 0.0
        return layer.solve(np.where(ending[rows], parts, 0.0), known)
