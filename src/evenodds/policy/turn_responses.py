"""Best responses in turn games, by backward induction over component layers."""

from itertools import count
from typing import Any, Final

import numpy as np

from evenodds.core.vocabulary import FIRST, Seat
from evenodds.graph.components import ComponentLayer, fixed_point
from evenodds.graph.expected_visits import STEPS_BEFORE_SOLVING
from evenodds.graph.position_index import PositionIndex
from evenodds.graph.positions import Keys
from evenodds.policy.policies import Policy
from evenodds.policy.turn_play import TurnGraph, link_shares, turn_graph_of

WORTH_TOLERANCE: Final = 1e-15
"""A change this small is rounding."""


def turn_response(
    ground: PositionIndex, policy: Policy, seat: Seat, repetition: int
) -> tuple[float, Keys, Any]:
    """What a seat gains at most against a policy, and its best picks at its own turns.

    Where the seat can keep the match open for ever it has a draw at least. With `repetition` that
    ends in a draw when a position comes up so many times, and the picks are those for the first
    time.
    """
    web = turn_graph_of(ground)
    answer = ResponseSolver(web, link_shares(ground, web, policy, 1 - seat), seat)
    for layer in web.layers:
        answer.find(layer, repetition)
    own = web.movers == seat
    return min(1.0, float(answer.worths[0])), web.keys[own], web.picks[answer.best[own]]


class ResponseSolver:
    """The best answer of a seat to the other's shares, found layer by layer from the ends back."""

    def __init__(self, web: TurnGraph, shares: Any, seat: Seat) -> None:
        self.shares = shares
        self.own = web.movers == seat
        ends = web.ends if seat == FIRST else -web.ends
        self.worths = np.concatenate([np.zeros(web.keys.size), ends])
        self.best = np.zeros(web.keys.size, np.int64)

    def find(self, layer: ComponentLayer, repetition: int) -> None:
        """Answer in one layer; all that it leads to is answered."""
        view = LayerResponse(layer, self)
        if not layer.inner.size:
            worths, best = np.where(view.own, view.most, view.mean), view.first_best(view.leads)
        elif repetition:
            worths, best = view.repeated(repetition)
        else:
            worths, best = view.raised()
        self.worths[layer.places] = worths
        self.best[layer.places] = layer.links[best]


class LayerResponse:
    """What a seat has in view in a layer: what it gets by leaving each position's knot at once."""

    def __init__(self, layer: ComponentLayer, answer: ResponseSolver) -> None:
        self.layer = layer
        self.own = answer.own[layer.places]
        self.parts = answer.shares[layer.links]
        self.inner = layer.stays()
        leads = answer.worths[layer.targets]
        self.leads = np.where(self.inner, -np.inf, leads)
        """What each link is worth; those that stay within the knot are not known yet."""
        self.most = np.maximum.reduceat(self.leads, layer.begins)
        self.mean = layer.summed(np.where(self.inner, 0.0, self.parts * leads))

    def first_best(self, leads: Any) -> Any:
        """For each position the first of its links that leads to the most."""
        layer = self.layer
        most = np.maximum.reduceat(leads, layer.begins)
        places = np.arange(layer.links.size)
        best = np.where(leads == most[layer.rows], places, places.size)
        return np.minimum.reduceat(best, layer.begins)

    def repeated(self, times: int) -> tuple[Any, Any]:
        """Worths and best links where going round too often is a draw."""
        layer = self.layer
        stays = layer.gathered(self.parts[layer.inner])
        round = np.where(layer.gathered(np.ones(layer.inner.size)) > 0, 0.0, -np.inf)

        def before(at: Any, ahead: Any) -> Any:
            chosen = np.maximum(self.most[at], round[at] + ahead)
            return np.where(self.own[at], chosen, self.mean[at] + stays[at] * ahead)

        worths = layer.go_round(times, np.zeros(self.own.size), before)
        goes_on = self.inner & (worths > self.most)[layer.rows]
        return worths, self.first_best(np.where(goes_on, np.inf, self.leads))

    def staying(self) -> Any:
        """From where the seat can stay within the knot for ever, whatever is drawn."""
        layer = self.layer

        def stay(some: Any) -> Any:
            stays = np.zeros(self.parts.size, bool)
            stays[layer.inner] = layer.lead(some)
            one = np.logical_or.reduceat(stays, layer.begins)
            every = np.logical_and.reduceat(stays | (self.parts == 0), layer.begins)
            return some & np.where(self.own, one, every)

        return fixed_point(np.ones(self.own.size, bool), stay)

    def raised(self) -> tuple[Any, Any]:
        """Worths and best links where a match may stay within a knot for ever.

        Worths rise from below, one pick further ahead each time, until they stand still. Whoever
        can stay for ever has a draw at least. In between, the links that are best so far are
        followed to the end of all matches: seldom where that takes long.
        """
        layer, leads = self.layer, self.leads.copy()
        patience = STEPS_BEFORE_SOLVING if layer.is_long else 1
        worths = floor = np.where(self.staying(), 0.0, -1.0)
        best = np.full(self.own.size, -1)
        for ahead in count(1):
            leads[layer.inner] = layer.lead(worths)
            mean = self.mean + layer.gathered(self.parts[layer.inner] * layer.lead(worths))
            most = np.maximum.reduceat(leads, layer.begins)
            found = np.maximum(np.where(self.own, most, mean), floor)
            rising = found > worths + WORTH_TOLERANCE
            best = np.where(rising | (best < 0), self.first_best(leads), best)
            worths = np.maximum(worths, found)
            if not rising.any():
                break
            if ahead % patience == 0:
                worths = np.maximum(worths, self._followed(best))
        return worths, best

    def _followed(self, best: Any) -> Any:
        """What positions are worth when the seat takes some links."""
        layer = self.layer
        rows = layer.rows[layer.inner]
        goes_on = self.inner[best] & self.own
        known = np.where(self.own, np.where(goes_on, 0.0, self.leads[best]), self.mean)
        parts = np.where(self.own[rows], layer.inner == best[rows], self.parts[layer.inner])
        likely = np.logical_or.reduceat((self.parts > 0) & ~self.inner, layer.begins)
        ending = layer.leading(parts > 0, np.where(self.own, ~goes_on, likely))
        known[~ending] = 0.0
        return layer.solve(np.where(ending[rows], parts, 0.0), known[:, None])[:, 0]
