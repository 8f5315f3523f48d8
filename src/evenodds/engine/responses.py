"""Exact best responses to a policy, and its exploitability.

A best response knows the mixes of the policy but not its picks. It is found by backward induction
over every reachable position.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from evenodds.core.catalog import GameLike
from evenodds.core.terms import DEFAULT_REPETITION, check_seat
from evenodds.core.vocabulary import PASS, SEATS, Seat, State, other
from evenodds.engine.best_responses import best_response_to
from evenodds.engine.graph import Graph, graph_of
from evenodds.engine.odds import check_countable
from evenodds.engine.policies import Policy
from evenodds.engine.position_keys import packing
from evenodds.engine.strategies import policy_shares
from evenodds.system.progress import Progress


class Picks(Mapping[State, int]):
    """The best pick at every open position where a seat decides."""

    def __init__(self, graph: Graph, picks: Any) -> None:
        self._graph = graph
        self._pack = packing(graph.state(0)).pack
        places = np.flatnonzero(picks != PASS)
        self._places = places[np.argsort(graph.keys[places])]
        self._keys, self._picks = graph.keys[self._places], picks[self._places]

    def __getitem__(self, state: Any) -> int:
        """The pick at a position; KeyError where the seat has none."""
        rulings = getattr(state, "rulings", None)
        if rulings == self._graph.rulings:
            key = self._pack(state, self._graph.layout)
            place = int(np.searchsorted(self._keys, key))
            if place < self._keys.size and self._keys[place] == key:
                return int(self._picks[place])
        raise KeyError(state)

    def __iter__(self) -> Iterator[State]:
        """Every position where the seat decides."""
        return map(self._graph.state, self._places)

    def __len__(self) -> int:
        """How many positions there are."""
        return int(self._keys.size)


class Response(NamedTuple):
    """The best response of a seat to a policy: its value for that seat, and its picks."""

    value: float
    picks: Mapping[Any, int]
    repetition: int
    """After how many times of the same position matches are a draw; 0: never. The picks are those
    for the first time that a position comes up."""


def best_response(
    game: GameLike,
    policy: Policy,
    seat: Seat,
    *,
    repetition: int = DEFAULT_REPETITION,
    progress: Progress | None = None,
) -> Response:
    """What `seat` gains at most against a policy in the other seat, and with which picks.

    Values are the seat's own: 1 a win, 0 a draw, -1 a loss; endless play is a draw. For
    `repetition` see `odds`.
    """
    graph = graph_of(game, progress)
    return respond_on(graph, policy, seat, check_countable(graph, repetition))


def exploitability(
    game: GameLike,
    policy: Policy,
    *,
    repetition: int = DEFAULT_REPETITION,
    progress: Progress | None = None,
) -> float:
    """What best responses take from a policy on average over both seats; 0 for exact play.

    For `repetition` see `odds`.
    """
    graph = graph_of(game, progress)
    times = check_countable(graph, repetition)
    return sum(respond_on(graph, policy, seat, times).value for seat in SEATS) / 2


def respond_on(graph: Graph, policy: Policy, seat: Seat, repetition: int) -> Response:
    """The best response, on a graph that exists already."""
    check_seat(seat)
    strategy = policy_shares(graph, policy, other(seat))
    value, picks = best_response_to(graph, strategy, seat, repetition)
    return Response(value, Picks(graph, picks), repetition)
