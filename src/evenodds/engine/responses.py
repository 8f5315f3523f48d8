"""Exact best responses to a policy, and its exploitability.

A best response knows the mixes of the policy but not its picks. It is found by backward induction
over every reachable position, by blocks, or along links.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.core.catalog import GameLike
from evenodds.core.terms import DEFAULT_REPETITION, check_seat
from evenodds.core.vocabulary import FIRST, PASS, SEATS, Seat, State, other
from evenodds.engine.compile import shared_kernel
from evenodds.engine.components import picks_to_end, settled
from evenodds.engine.flows import sum_backwards
from evenodds.engine.graph import Graph, LinkGraph, graph_of
from evenodds.engine.link_kernels import Links, raise_worths
from evenodds.engine.odds import check_countable
from evenodds.engine.policies import Policy
from evenodds.engine.position_keys import packing
from evenodds.engine.strategies import StrategyShares, mean_over_replies, policy_shares
from evenodds.system import Progress

SWEEPS_BEFORE_SOLVING: Final = 200
"""Sweeps over large components before what the picks so far are worth is solved for."""
TIE_TOLERANCE: Final = 1e-12
"""Picks this near to the best are as good: rounding must not choose, say one that never ends."""
EARNED_TOLERANCE: Final = 1e-9
"""What links may earn less than they promise, by rounding."""


class Picks(Mapping[State, int]):
    """The best pick at every open position where a seat decides."""

    def __init__(self, graph: Graph, picks: Any) -> None:
        self._graph, self._picks = graph, picks
        self._pack = packing(graph.state(0)).pack

    @cached_property
    def _places(self) -> Any:
        """Where the seat decides, in the order of keys."""
        places = np.flatnonzero(self._picks != PASS)
        return places[np.argsort(self._graph.keys[places])]

    @cached_property
    def _keys(self) -> Any:
        return self._graph.keys[self._places]

    def __getitem__(self, state: Any) -> int:
        if getattr(state, "rulings", None) == self._graph.rulings:
            key = self._pack(state, self._graph.layout)
            number = int(np.searchsorted(self._keys, key))
            if number < len(self) and self._keys[number] == key:
                return int(self._picks[self._places[number]])
        raise KeyError(state)

    def __iter__(self) -> Iterator[State]:
        return map(self._graph.state, self._places)

    def __len__(self) -> int:
        return int(self._places.size)

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)  # a graph cannot be pickled


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
    return best_response_to(graph, strategy, seat, repetition)


def best_response_to(
    graph: Graph, strategy: StrategyShares, seat: Seat, repetition: int
) -> Response:
    """The best response of a seat to a strategy of the other.

    In games with loops, where the seat can keep the match open for ever it has a draw at least.
    """
    ends = _worths_of_ends(graph, seat)
    if not graph.game.loops:
        values = np.append(np.zeros(graph.size), ends)
        picks = _respond_by_blocks(graph, strategy, seat, values)
        return Response(float(values[0]), Picks(graph, picks), repetition)
    if graph.game.simultaneous:
        worths, picks = respond_at_once(graph, strategy, seat)
        return Response(float(worths[0]), Picks(graph, picks), repetition)
    own = graph.uniform(seat)
    sides = (own, strategy) if seat == FIRST else (strategy, own)
    return link_response(graph, graph.link_shares(*sides), seat, repetition)


def respond_at_once(graph: Graph, strategy: StrategyShares, seat: Seat) -> tuple[Any, Any]:
    """The worths of all positions to a seat, and its best picks, where play may come back."""
    links, shares, own, numbers = _choices(graph, strategy, seat)
    worths, best = endless_response(links, shares, own, _worths_of_ends(graph, seat))
    return worths[: graph.size], numbers[best[: graph.size]]


def _choices(graph: Graph, strategy: StrategyShares, seat: Seat) -> tuple[Any, Any, Any, Any]:
    """Games in which both pick at once as links: from a position to each own pick, and on by lot.

    The links, their shares, where the seat decides, and the numbers that it picks.
    """
    sides = [block.targets.swapaxes(1, 1 + (seat != FIRST)) for block in graph.blocks]
    counts = [np.full(len(pairs), pairs.shape[1]) for pairs in sides]
    widths = [np.full(pairs[..., 0].size, pairs.shape[2]) for pairs in sides]
    begins = np.append(0, np.cumsum(np.concatenate(counts + widths)))
    picks = np.arange(graph.size, begins.size - 1, dtype=np.int32)
    after = np.concatenate([pairs.ravel() for pairs in sides])
    after[after >= graph.size] += picks.size  # ends come last
    mixes = zip(strategy, sides, strict=True)
    replies = [np.broadcast_to(mix[:, None], pairs.shape) for mix, pairs in mixes]
    shares = np.concatenate([part.ravel() for part in graph.uniform(seat) + replies])
    own = np.append(~graph.is_drawn, np.zeros(picks.size, bool))
    numbers = [block.numbers(seat) * (block.weights is None) for block in graph.blocks]
    links = LinkGraph(begins, np.append(picks, after), graph.ends, graph.is_compiled)
    return links, shares, own, np.concatenate([part.ravel() for part in numbers])


def _respond_by_blocks(graph: Graph, strategy: StrategyShares, seat: Seat, values: Any) -> Any:
    """The best picks by the values of what follows, from the last block back, and their values."""
    picks = np.zeros(graph.size, np.int8)
    for block, theirs in zip(reversed(graph.blocks), reversed(strategy), strict=True):
        for piece in block.pieces():
            side = 1 if seat == FIRST else -1
            worths = side * block.worths(side * values, piece)
            if block.weights is not None:
                values[block.places[piece]] = (block.weights[piece] * worths[:, :, 0]).sum(axis=1)
                continue
            expected = mean_over_replies(worths, theirs[piece], seat)
            values[block.places[piece]] = most = expected.max(axis=1)
            best = (expected >= most[:, None] - TIE_TOLERANCE).argmax(axis=1)[:, None]
            numbers = np.take_along_axis(block.numbers(seat)[piece], best, 1)
            picks[block.places[piece]] = numbers[:, 0]
    return picks


def link_response(graph: Graph, shares: Any, seat: Seat, repetition: int) -> Response:
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
        worths, best = endless_response(graph, shares, own, ends)
    picks = Picks(graph, np.where(own, graph.picks[best], PASS))
    return Response(min(1.0, float(worths[0])), picks, repetition)


def _raised(graph: Graph, links: Links, shares: Any, own: Any, ends: Any) -> tuple[Any, Any]:
    """The worths of positions and ends and the best links: one pass, as there are no cycles."""
    worths, best = np.append(np.full(own.size, -1.0), ends), np.full(own.size, -1)
    given = graph.components.for_kernel(shares, own, worths, best)
    shared_kernel(raise_worths, graph.components.compiled)(links, *given[:2], 1, *given[2:])
    return np.asarray(given[2]), np.asarray(given[3])


def endless_response(graph: LinkGraph, shares: Any, own: Any, ends: Any) -> tuple[Any, Any]:
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
    run = shared_kernel(raise_worths, components.compiled)
    sweeps = SWEEPS_BEFORE_SOLVING if components.has_large else 1

    def earned(best: Any) -> Any:
        chosen = np.arange(chooses.size) == best[graph.sources]
        return sum_backwards(graph, np.where(chooses, chosen, shares), ends)

    while True:
        while not run(components.kernel_links, *given[:2], sweeps, *given[2:]):
            given[2][:] = np.maximum(given[2], earned(np.asarray(given[3]))).tolist()
        # What hardly rises may lead far: play that leaves a loop once in 10^20 times.
        worths = np.asarray(given[2])
        found = earned(_soonest_of_best(graph, worths, own, shares, 0.0))
        if not (found > worths + TIE_TOLERANCE).any():
            break
        given[2][:] = np.maximum(worths, found).tolist()
    for tolerance in (TIE_TOLERANCE, 0.0):
        best = _soonest_of_best(graph, worths, own, shares, tolerance)
        if ((found := earned(best)) > worths - EARNED_TOLERANCE).all():
            return found, best
    best = np.asarray(given[3])
    return earned(best), best


def _soonest_of_best(graph: LinkGraph, worths: Any, own: Any, shares: Any, tolerance: float) -> Any:
    """Of the best links of each position the first that leads to an end soonest.

    A link that keeps the worth need not earn it: play might go round for ever.
    """
    leads = worths[graph.targets]
    most = np.maximum.reduceat(leads, graph.begins[:-1])
    best = leads >= most[graph.sources] - tolerance
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
