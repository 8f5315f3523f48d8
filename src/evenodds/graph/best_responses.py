"""Best responses to a strategy, by backward induction over blocks or component layers."""

from itertools import count
from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.core.vocabulary import FIRST, PASS, Seat
from evenodds.graph.components import ComponentLayer, fixed_point
from evenodds.graph.expected_visits import STEPS_BEFORE_SOLVING
from evenodds.graph.position_index import PositionIndex
from evenodds.graph.strategies import StrategyShares
from evenodds.graph.transitions import TransitionGraph, transition_graph_of
from evenodds.graph.turn_graph import TurnGraph, turn_graph_of

WORTH_TOLERANCE: Final = 1e-15
"""A gain this small is rounding: value iteration stops."""


class BestResponse(NamedTuple):
    """The best response of a seat: its value at the start for the seat, and a pick by place."""

    value: float
    picks: Any


def best_response_to(
    index: PositionIndex, strategy: StrategyShares, seat: Seat, repetition: int
) -> BestResponse:
    """The best response of a seat to a strategy of the other.

    In games with loops, where the seat can keep the match open for ever it has a draw at least.
    With `repetition` the match is drawn when a position comes up so many times, and the picks are
    those for the first time.
    """
    if not index.game.loops:
        return _block_response(transition_graph_of(index), strategy, seat)
    graph = turn_graph_of(index)
    own = graph.transitions.uniform(seat)
    sides = (own, strategy) if seat == FIRST else (strategy, own)
    return link_response(graph, graph.link_shares(*sides), seat, repetition)


def _block_response(graph: TransitionGraph, strategy: StrategyShares, seat: Seat) -> BestResponse:
    outcomes = graph.outcomes()
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


def link_response(graph: TurnGraph, shares: Any, seat: Seat, repetition: int) -> BestResponse:
    """The best response of a seat in a game of turns to the other's shares of links."""
    solver = ResponseSolver(graph, shares, seat)
    for layer in graph.layers:
        solver.find(layer, repetition)
    picks = np.where(solver.own, graph.picks[solver.best], PASS)
    return BestResponse(min(1.0, float(solver.worths[0])), picks)


class ResponseSolver:
    """Best responses of a seat to the other's shares, layer by layer from the ends back."""

    def __init__(self, graph: TurnGraph, shares: Any, seat: Seat) -> None:
        self.shares = shares
        self.own = graph.movers == seat
        ends = graph.ends if seat == FIRST else -graph.ends
        size = graph.transitions.size
        self.worths = np.concatenate([np.zeros(size), ends])
        self.best = np.zeros(size, np.int64)

    def find(self, layer: ComponentLayer, repetition: int) -> None:
        """Solve one layer; the layers that it leads to are solved."""
        response = LayerResponse(layer, self)
        if not layer.inner.size:
            worths, best = (
                np.where(response.own, response.most, response.mean),
                response.first_best(response.leads),
            )
        elif repetition:
            worths, best = response.repeated(repetition)
        else:
            worths, best = response.iterate_values()
        self.worths[layer.places] = worths
        self.best[layer.places] = layer.links[best]


class LayerResponse:
    """The best response in one layer, with what leaving each position's component is worth."""

    def __init__(self, layer: ComponentLayer, solver: ResponseSolver) -> None:
        self.layer = layer
        self.own = solver.own[layer.places]
        self.parts = solver.shares[layer.links]
        self.inner = layer.is_inner()
        leads = solver.worths[layer.targets]
        self.leads = np.where(self.inner, -np.inf, leads)
        """The value of each link; -inf for inner links, which are not known yet."""
        self.most = np.maximum.reduceat(self.leads, layer.begins)
        self.mean = layer.sum_links(np.where(self.inner, 0.0, self.parts * leads))

    def first_best(self, leads: Any, most: Any = None) -> Any:
        """For each position the first of its best links; `most` is the value of these, if known."""
        layer = self.layer
        if most is None:
            most = np.maximum.reduceat(leads, layer.begins)
        places = np.arange(layer.links.size)
        best = np.where(leads == most[layer.rows], places, places.size)
        return np.minimum.reduceat(best, layer.begins)

    def repeated(self, times: int) -> tuple[Any, Any]:
        """Values and best links where repetition is a draw."""
        layer = self.layer
        stays = layer.sum_inner_links(self.parts[layer.inner])
        # A link round the cycle can be chosen only where there is one; elsewhere -inf excludes it.
        round = np.where(layer.sum_inner_links(np.ones(layer.inner.size)) > 0, 0.0, -np.inf)

        def before(at: Any, ahead: Any) -> Any:
            chosen = np.maximum(self.most[at], round[at] + ahead)
            return np.where(self.own[at], chosen, self.mean[at] + stays[at] * ahead)

        worths = layer.unroll_cycle(times, np.zeros(self.own.size), before)
        # Ties leave the cycle, so that the match comes to an end.
        goes_on = self.inner & (worths > self.most)[layer.rows]
        return worths, self.first_best(np.where(goes_on, np.inf, self.leads))

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

    def iterate_values(self) -> tuple[Any, Any]:
        """Values and best links where a match may stay in a component for ever.

        Value iteration from below, with policy evaluation of the best links so far in between, as
        iteration alone converges slowly; rarely in large components, where evaluation is expensive.
        A seat that can stay for ever has a draw at least.
        """
        layer, leads = self.layer, self.leads.copy()
        steps_per_evaluation = STEPS_BEFORE_SOLVING if layer.is_large else 1
        # From below, since the value is the least fixed point above the floor. In a greater one the
        # positions of a cycle may promise each other a win that none of them reaches.
        worths = floor = np.where(self.can_stay(), 0.0, -1.0)
        best, parts = np.full(self.own.size, -1), self.parts[layer.inner]
        for ahead in count(1):
            leads[layer.inner] = within = layer.at_inner_targets(worths)
            mean = self.mean + layer.sum_inner_links(parts * within)
            most = np.maximum.reduceat(leads, layer.begins)
            found = np.maximum(np.where(self.own, most, mean), floor)
            rising = found > worths + WORTH_TOLERANCE
            # A link is replaced only for a gain: of equal links the new one might stay in the
            # component for ever, and never realise what it promises.
            best = np.where(rising | (best < 0), self.first_best(leads, most), best)
            worths = np.maximum(worths, found)
            if not rising.any():
                break
            if ahead % steps_per_evaluation == 0:
                worths = np.maximum(worths, self._policy_values(best))
        return worths, best

    def _policy_values(self, best: Any) -> Any:
        """Policy evaluation: the values of positions when the seat takes these links."""
        layer = self.layer
        rows = layer.inner_rows
        goes_on = self.inner[best] & self.own
        known = np.where(self.own, np.where(goes_on, 0.0, self.leads[best]), self.mean)
        parts = np.where(self.own[rows], layer.inner == best[rows], self.parts[layer.inner])
        likely = np.logical_or.reduceat((self.parts > 0) & ~self.inner, layer.begins)
        ending = layer.reaching(parts > 0, np.where(self.own, ~goes_on, likely))
        # Play that never leaves the component is a draw; with its links left in, the system of
        # equations would be singular.
        known[~ending] = 0.0
        return layer.solve(np.where(ending[rows], parts, 0.0), known)
