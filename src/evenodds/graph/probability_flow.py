"""Matches between two strategies as probability mass that flows along the graph of positions.

A mass is the share of all matches at a position. Masses are pushed along every pair of picks;
nothing is sampled. In arrays the ends stand behind the positions.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.graph.position_index import PositionIndex
from evenodds.graph.strategies import StrategyShares, shares_where
from evenodds.graph.transitions import TransitionBlock, TransitionGraph, transition_graph_of
from evenodds.graph.turn_graph import TurnGraph, turn_graph_of
from evenodds.kernels import shared_kernel

COMPILED_MIN_PAIRS: Final = 200_000
"""Pairs of picks from which the compiled kernel is worth its compilation."""
OPEN_SHARE_TOLERANCE: Final = 1e-14
"""A share of open matches so small that no figure shows it."""
MAX_SHARES: Final = 1 << 22
"""Shares of links that are followed at once."""
MAX_FOLLOWED_ROUNDS: Final = 4000
"""Rounds after which open matches are no longer followed."""


class MatchFlow(NamedTuple):
    """The shares of matches by end, endless and repeated ones, and the mean length."""

    ends: Any
    endless: float
    repeated: float
    """The share that is drawn by repetition."""
    length: float


def match_flow(
    index: PositionIndex, first: StrategyShares, second: StrategyShares, repetition: int
) -> MatchFlow:
    """How matches between two strategies end.

    In games with loops a match is drawn when a position comes up `repetition` times, with 0 never.
    """
    return match_flows(index, [(first, second)], repetition)[0]


def match_flows(
    index: PositionIndex, pairs: Sequence[tuple[StrategyShares, StrategyShares]], repetition: int
) -> list[MatchFlow]:
    """The same between several pairs of strategies."""
    if index.game.loops:
        turn_graph = turn_graph_of(index)
        shares = np.stack([turn_graph.link_shares(*pair) for pair in pairs], axis=1)
        return link_flows(turn_graph, shares, repetition)
    graph = transition_graph_of(index)
    masses = [visit_counts(graph, *pair) for pair in pairs]
    return [
        MatchFlow(mass[graph.size :], 0.0, 0.0, float(mass[: graph.size].sum())) for mass in masses
    ]


def flows_at_once(index: PositionIndex) -> int:
    """How many pairs of strategies `match_flows` is best asked for at once.

    In games with loops the many small layers take most of the time, whatever flows through them.
    Elsewhere each pair is work for a thread of its own.
    """
    if not index.game.loops:
        return 1
    return max(1, MAX_SHARES // int(turn_graph_of(index).targets.size))


def visit_counts(graph: TransitionGraph, first: StrategyShares, second: StrategyShares) -> Any:
    """The share of matches that reach each position and end, in games without loops."""
    masses = _start_masses(graph)
    for number, block in enumerate(graph.blocks):
        reached = masses[block.places] > 0
        if reached.any():
            one, two = (shares_where(side, number, reached) for side in (first, second))
            push_masses(graph, block, masses[block.places], one, two, masses)
    return masses


def masses_by_round(
    graph: TransitionGraph, first: StrategyShares, second: StrategyShares
) -> Iterator[Any]:
    """The masses after each round, beginning with the start; ends hold those of that round only.

    Stops when hardly a match is open, or after `MAX_FOLLOWED_ROUNDS`.
    """
    masses = _start_masses(graph)
    for _ in range(MAX_FOLLOWED_ROUNDS):
        yield masses
        if masses[: graph.size].sum() <= OPEN_SHARE_TOLERANCE:
            return
        arrived = np.zeros(masses.size)
        for number, block in enumerate(graph.blocks):
            here = masses[block.places]
            if here.any():
                push_masses(graph, block, here, first[number], second[number], arrived)
        masses = arrived


def _start_masses(graph: TransitionGraph) -> Any:
    masses = np.zeros(graph.size + len(graph.ends))
    masses[0] = 1.0
    return masses


def push_masses(
    graph: TransitionGraph, block: TransitionBlock, mass: Any, first: Any, second: Any, arrived: Any
) -> None:
    """Add the masses of a block's positions one round later to those of positions and ends."""
    for piece in block.pieces():
        targets = block.targets[piece]
        if block.targets.size > COMPILED_MIN_PAIRS:
            ends = np.zeros(len(graph.ends))  # summed in small parts, which keeps rounding small
            push = shared_kernel("push_mass_along_blocks")
            push(mass[piece], first[piece], second[piece], targets, arrived[: graph.size], ends)
            arrived[graph.size :] += ends
        else:
            row_mass = mass[piece, None] * first[piece]
            weights = row_mass[:, :, None] * second[piece][:, None, :]
            arrived += np.bincount(targets.ravel(), weights.ravel(), arrived.size)


def link_flow(graph: TurnGraph, shares: Any, repetition: int) -> MatchFlow:
    """The flow of matches that follow each link with some share.

    With `repetition` a match is drawn when a position comes up so many times; otherwise play from
    positions that lead to no end is endless.
    """
    return link_flows(graph, shares[:, None], repetition)[0]


def link_flows(graph: TurnGraph, shares: Any, repetition: int) -> list[MatchFlow]:
    """The same for several flows at once: shares have a column for each."""
    size, flows = graph.transitions.size, shares.shape[1]
    masses = np.zeros((size + graph.ends.size, flows))
    masses[0] = 1.0
    can_end = None if repetition else _can_end(graph, shares)
    endless, repeated, length = np.zeros((3, flows))
    for layer in reversed(graph.layers):
        visits = masses[layer.places]
        if not visits.any():
            continue
        parts = shares[layer.links]
        if can_end is None:
            visits, drawn = layer.visits_until_repeated(parts[layer.inner], visits, repetition)
            repeated += drawn
        else:
            ending = can_end[layer.places]
            inner = np.where(ending[layer.inner_rows], parts[layer.inner], 0.0)
            visits = layer.visits(inner, visits)
            endless += np.where(ending, 0.0, visits).sum(axis=0)
            visits = np.where(ending, visits, 0.0)
        length += visits.sum(axis=0)
        leaving = parts * visits[layer.rows]
        leaving[layer.inner] = 0.0
        # Numbers of cells, not rows: NumPy adds at these many times faster.
        cells = layer.targets[:, None] * flows + np.arange(flows)
        np.add.at(masses.reshape(-1), cells.ravel(), leaving.ravel())
    sums = zip(masses[size:].T, endless, repeated, length, strict=True)
    return [MatchFlow(ends, *map(float, rest)) for ends, *rest in sums]


def _can_end(graph: TurnGraph, shares: Any) -> Any:
    """The positions from which an end can be reached, and the ends; a column for each flow."""
    size = graph.transitions.size
    can_end = np.zeros((size + graph.ends.size, shares.shape[1]), bool)
    can_end[size:] = True
    for layer in graph.layers:
        likely = shares[layer.links] > 0
        found = np.logical_or.reduceat(likely & can_end[layer.targets], layer.begins)
        can_end[layer.places] = layer.reaching(likely[layer.inner], found)
    return can_end
