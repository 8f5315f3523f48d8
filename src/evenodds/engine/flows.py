"""Matches between two strategies as probability mass that flows along the graph of positions.

A mass is the share of all matches at a position. Masses are pushed along every pair of picks;
nothing is sampled. In arrays the ends stand behind the positions.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.engine.compile import shared_kernel
from evenodds.engine.component_kernels import ComponentGraph
from evenodds.engine.components import kernel_arrays
from evenodds.engine.expected_visits import total_visits
from evenodds.engine.graph import Block, Graph
from evenodds.engine.link_flows import MAX_ELIMINATED
from evenodds.engine.strategy_shares import StrategyShares, shares_where

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
    graph: Graph, first: StrategyShares, second: StrategyShares, repetition: int
) -> MatchFlow:
    """How matches between two strategies end.

    In games with loops a match is drawn when a position comes up `repetition` times, with 0 never.
    """
    if graph.game.loops:
        return link_flow(graph, graph.link_shares(first, second), repetition)
    masses = visit_counts(graph, first, second)
    return MatchFlow(masses[graph.size :], 0.0, 0.0, float(masses[: graph.size].sum()))


def visit_counts(graph: Graph, first: StrategyShares, second: StrategyShares) -> Any:
    """The share of matches that reach each position and end, in games without loops."""
    masses = _start_masses(graph)
    for number, block in enumerate(graph.blocks):
        reached = masses[block.places] > 0
        if reached.any():
            one, two = (shares_where(side, number, reached) for side in (first, second))
            push_masses(graph, block, masses[block.places], one, two, masses)
    return masses


def masses_by_round(graph: Graph, first: StrategyShares, second: StrategyShares) -> Iterator[Any]:
    """The masses after each round, beginning with the start; ends hold those of that round only.

    Stops when hardly a match is open, or after `MAX_FOLLOWED_ROUNDS`.
    """
    masses, advance = _start_masses(graph), round_step(graph, first, second)
    for _ in range(MAX_FOLLOWED_ROUNDS):
        yield masses
        if masses[: graph.size].sum() <= OPEN_SHARE_TOLERANCE:
            return
        masses = advance(masses)


def round_step(graph: Graph, first: StrategyShares, second: StrategyShares) -> Callable[[Any], Any]:
    """A function from masses to those one round later."""
    if graph.game.loops:
        return _link_step(graph, first, second)

    def advance(masses: Any) -> Any:
        arrived = np.zeros(masses.size)
        for number, block in enumerate(graph.blocks):
            here = masses[block.places]
            if here.any():
                push_masses(graph, block, here, first[number], second[number], arrived)
        return arrived

    return advance


def _link_step(graph: Graph, first: StrategyShares, second: StrategyShares) -> Callable[[Any], Any]:
    shares, targets = graph.link_shares(first, second), graph.targets
    if graph.is_compiled:
        push = shared_kernel("advance_masses")

        def advance(masses: Any) -> Any:
            arrived = np.zeros(masses.size)
            push(graph.begins, targets, shares, masses, arrived)
            return arrived

        return advance
    count = graph.size + len(graph.ends)
    return lambda masses: np.bincount(targets, shares * masses[graph.sources], count)


def _start_masses(graph: Graph) -> Any:
    masses = np.zeros(graph.size + len(graph.ends))
    masses[0] = 1.0
    return masses


def push_masses(
    graph: Graph, block: Block, mass: Any, first: Any, second: Any, arrived: Any
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


def link_flow(graph: Graph, shares: Any, repetition: int) -> MatchFlow:
    """The flow of matches that follow each link with some share.

    With `repetition` a match is drawn when a position comes up so many times; otherwise play from
    positions that lead to no end is endless.
    """
    size, compiled = graph.size, graph.is_compiled
    masses, ending = np.zeros(size + len(graph.ends)), np.full(size, repetition > 0)
    masses[0] = 1.0
    largest = int(min(np.diff(graph.components.bounds).max(), MAX_ELIMINATED))
    work = np.zeros((largest, largest + 3))
    flow = kernel_arrays(compiled, shares, ending, masses, np.zeros(size), np.zeros(3), work)
    shares, ending, masses, visits, sums, work = flow
    components = ComponentGraph(*kernel_arrays(compiled, *graph.components))
    if not repetition:
        shared_kernel("mark_ending", compiled)(components, shares, ending)
    follow, component = shared_kernel("follow_matches", compiled), 0
    while True:
        state = (repetition, component, masses, visits, sums, work)
        component = follow(components, shares, ending, *state)
        if component == len(components.cyclic):
            return MatchFlow(np.asarray(masses[size:]), *map(float, sums))
        _empty_component(graph.components, component, *flow[:4])


def _empty_component(
    graph: ComponentGraph, component: int, shares: Any, ending: Any, masses: Any, visits: Any
) -> None:
    """Solve for the visits of a component, in which matches stay for long; leave no mass there."""
    places = graph.order[graph.bounds[component] : graph.bounds[component + 1]]
    numbers = np.zeros(graph.order.size, np.int64)
    numbers[places] = np.arange(places.size)
    sources = np.repeat(np.arange(graph.order.size), np.diff(graph.begins))
    inner = np.flatnonzero(graph.inner & (graph.components[sources] == component))
    parts = np.where(np.asarray(ending)[sources[inner]], np.asarray(shares)[inner], 0.0)
    rows, targets = numbers[sources[inner]], numbers[graph.targets[inner]]
    found = total_visits(
        lambda mass: np.bincount(targets, parts * mass[rows], mass.size), np.asarray(masses)[places]
    )
    for place, count in zip(places.tolist(), found.tolist(), strict=True):
        visits[place] += count
        masses[place] = 0.0


def end_probabilities(graph: Graph, shares: Any) -> Any:
    """How likely an end is reached from each position, along links with these shares; and 1s.

    What is missing in the shares of a position is lost; a match that goes on for ever ends nowhere.
    """
    size, order = graph.size, graph.components.order
    found = np.concatenate([np.zeros(size), np.ones(len(graph.ends))])
    state = (shares, np.zeros(size, bool), order, found, np.zeros(size, np.int64))
    *rest, found, links = kernel_arrays(graph.is_compiled, *state)
    components = ComponentGraph(*kernel_arrays(graph.is_compiled, *graph.components))
    rise = shared_kernel("raise_worths", graph.is_compiled)
    rise(components, *rest, MAX_FOLLOWED_ROUNDS, found, links)
    return np.asarray(found)
