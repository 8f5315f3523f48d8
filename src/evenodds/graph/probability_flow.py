"""Matches between two strategies as probability mass that flows along the graph of positions.

A mass is the share of all matches at a position. Masses are pushed along every pair of picks;
nothing is sampled. In arrays the ends stand behind the positions.
"""

from collections.abc import Iterator
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
    if index.game.loops:
        turn_graph = turn_graph_of(index)
        return link_flow(turn_graph, turn_graph.link_shares(first, second), repetition)
    graph = transition_graph_of(index)
    masses = visit_counts(graph, first, second)
    return MatchFlow(masses[graph.size :], 0.0, 0.0, float(masses[: graph.size].sum()))


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
    size = graph.transitions.size
    masses = np.zeros(size + graph.ends.size)
    masses[0] = 1.0
    can_end = None if repetition else _can_end(graph, shares)
    endless = repeated = length = 0.0
    for layer in reversed(graph.layers):
        visits = masses[layer.places]
        if not visits.any():
            continue
        parts = shares[layer.links]
        if can_end is None:
            visits, drawn = layer.visits_until_repeated(parts[layer.inner], visits, repetition)
            repeated += float(drawn.sum())
        else:
            ending = can_end[layer.places]
            inner = np.where(ending[layer.rows[layer.inner]], parts[layer.inner], 0.0)
            visits = layer.visits(inner, visits)
            endless += float(visits[~ending].sum())
            visits = np.where(ending, visits, 0.0)
        length += float(visits.sum())
        leaving = parts * visits[layer.rows]
        leaving[layer.inner] = 0.0
        np.add.at(masses, layer.targets, leaving)
    return MatchFlow(masses[size:], endless, repeated, length)


def _can_end(graph: TurnGraph, shares: Any) -> Any:
    """The positions from which an end can be reached, and the ends."""
    can_end = np.zeros(graph.transitions.size + graph.ends.size, bool)
    can_end[graph.transitions.size :] = True
    for layer in graph.layers:
        likely = shares[layer.links] > 0
        found = np.logical_or.reduceat(likely & can_end[layer.targets], layer.begins)
        can_end[layer.places] = layer.reaching(likely[layer.inner], found)
    return can_end
