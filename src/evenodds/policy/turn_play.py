"""Turn games as a graph of links, and the odds between policies on it, cycles included."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from evenodds.core.terms import REPETITION_NOT_COUNTED_NOTE, check_repetition
from evenodds.core.vocabulary import PASS, SEATS, Seat
from evenodds.graph import (
    ComponentLayer,
    Keys,
    PositionIndex,
    component_layers,
    transition_graph_of,
)
from evenodds.kernels import Layout, report_compilation
from evenodds.policy.pick_probabilities import BLOCK_POSITIONS, PolicyShares
from evenodds.policy.policies import Policy, Uniform, check_policy, solution_of
from evenodds.policy.results import UncountedRepetition
from evenodds.policy.softmax import SoftmaxPolicy
from evenodds.solver import Solution


@dataclass(frozen=True, eq=False)
class TurnGraph:
    """The positions of a game of turns, the seat to move, and a link for each pick."""

    keys: Keys
    movers: Any
    begins: Any
    """The first link of each position; links are sorted by source."""
    sources: Any
    picks: Any
    targets: Any
    ends: Any
    """The value of each end for the first seat; targets of ends are negative indices into this."""

    @property
    def leads_on(self) -> Any:
        """Which links lead to an open position."""
        return self.targets >= 0

    @cached_property
    def layers(self) -> list[ComponentLayer]:
        """The positions in reverse topological order."""
        return component_layers(self.sources, self.targets, self.keys.size)

    @property
    def counts_repetitions(self) -> bool:
        """Whether repetitions can be counted without the history: all components are cycles."""
        return all(layer.is_cycle for layer in self.layers)

    def outcomes(self) -> Any:
        """The outcome at the end of each link, where it leads to one."""
        return np.where(self.leads_on, 0, self.ends[np.minimum(self.targets, -1)])

    def at_targets(self, figures: Any, ends: Any) -> Any:
        """For each link the figure of the position it leads to, or that of its end."""
        return np.where(self.leads_on, figures[self.targets], ends)


def turn_graph_of(index: PositionIndex) -> TurnGraph:
    """The turn graph of an index, built once."""
    if index.turn_graph is None:
        with report_compilation(index.progress):
            index.turn_graph = _build_turn_graph(index)
    graph: TurnGraph = index.turn_graph
    return graph


def counts_repetitions(index: PositionIndex) -> bool:
    """Whether draws by repetition can be computed exactly; always where there are no loops."""
    return not index.game.loops or turn_graph_of(index).counts_repetitions


def check_countable(index: PositionIndex, repetition: int) -> int:
    """The number of occurrences of a position that draws a match, if that can be computed.

    0 in games without loops. Raises `BadTerms` or
    `UncountedRepetition` in one line.
    """
    check_repetition(repetition)
    if repetition and not counts_repetitions(index):
        raise UncountedRepetition(
            f"{REPETITION_NOT_COUNTED_NOTE} repetition=0 leaves it out, "
            "and `simulate` counts it by playing."
        )
    return repetition if index.game.loops else 0


def _build_turn_graph(index: PositionIndex) -> TurnGraph:
    transitions = transition_graph_of(index)
    movers, counts = np.zeros(transitions.size, np.int8), np.zeros(transitions.size, np.int64)
    for block in transitions.blocks:
        movers[block.places] = block.firsts[:, 0] == PASS
        counts[block.places] = block.targets[0].size
    begins = np.cumsum(counts) - counts
    links = int(counts.sum())
    picks, targets = np.zeros(links, np.int8), np.zeros(links, np.int32)
    for block in transitions.blocks:
        places = begins[block.places, None] + np.arange(block.targets[0].size)
        picks[places] = block.firsts + block.seconds  # the seat not to move has PASS, which is 0
        targets[places] = block.targets.reshape(places.shape)
    targets[targets >= transitions.size] -= transitions.size + len(transitions.ends)
    sources = np.repeat(np.arange(transitions.size, dtype=np.int32), counts)
    return TurnGraph(
        transitions.keys,
        movers,
        begins,
        sources,
        picks,
        targets,
        transitions.outcomes().astype(np.int64),
    )


def link_shares(index: PositionIndex, graph: TurnGraph, policy: Policy, seat: Seat) -> Any:
    """The share of each link of a seat under a policy; 0 where the other seat moves."""
    check_policy(index.game, index.rulings, policy)
    own = (graph.movers == seat)[graph.sources]
    solution = solution_of(policy)
    if isinstance(policy, Uniform):
        counts = np.bincount(graph.sources, minlength=graph.keys.size)
        return np.where(own, 1.0 / counts[graph.sources], 0.0)
    if solution is not None and index.game.mirror is None:
        link_values = link_values_of(index, solution)
        return np.where(
            own,
            link_values.softmax(policy)
            if isinstance(policy, SoftmaxPolicy)
            else link_values.selected,
            0.0,
        )
    shares = np.zeros(graph.sources.size)
    blocks = PolicyShares(index, policy, seat)
    turns = np.flatnonzero(graph.movers == seat)
    for begin in range(0, turns.size, BLOCK_POSITIONS):
        some = turns[begin : begin + BLOCK_POSITIONS]
        block = blocks.block(graph.keys[some], 0, some.size)
        own_links = np.flatnonzero(own & (graph.sources >= some[0]) & (graph.sources <= some[-1]))
        shares[own_links] = block[
            np.searchsorted(some, graph.sources[own_links]), graph.picks[own_links]
        ]
        index.progress("preparing positions", begin, turns.size)
    return shares


def link_values_of(index: PositionIndex, solution: Solution) -> "LinkValues":
    """The values of all links by a solution, computed once."""
    found = index.policy_cache.get(solution)
    if found is None:
        found = index.policy_cache[solution] = LinkValues(index, turn_graph_of(index), solution)
    return found


class LinkValues:
    """The values of all links of a turn graph by a solution."""

    def __init__(self, index: PositionIndex, graph: TurnGraph, solution: Solution) -> None:
        solved = solution.solved
        keys = _repack(graph.keys, index.layout, solved.layout)
        places = np.searchsorted(np.asarray(solved.keys), keys)
        self.graph = graph
        self.codes = np.asarray(solved.values)[places].astype(np.int64)
        self.sides = 1 - 2 * graph.movers.astype(np.int64)
        self.worths = self.sides * np.sign(self.codes)
        """The value of each position for the seat to move."""
        gains = graph.at_targets(np.sign(self.codes), graph.outcomes())
        self.gains = self.sides[graph.sources] * gains
        """The value of each link for the seat to move."""

    @cached_property
    def selected(self) -> Any:
        """The selected picks: by value, then distance or losing replies, then number.

        The same rule as `Solution.mix`, for all positions at once.
        """
        graph = self.graph
        losing = np.bincount(graph.sources, self.gains < 0, graph.keys.size).astype(np.int64)
        far = graph.at_targets(np.abs(self.codes), 0)
        own_links = self.worths[graph.sources]
        tie_break = np.where(own_links == 0, -graph.at_targets(losing, 0), own_links * far)
        order = np.lexsort((graph.picks, tie_break, -self.gains, graph.sources))
        shares = np.zeros(graph.sources.size)
        shares[order[graph.begins]] = 1.0
        return shares

    def softmax(self, softmax: SoftmaxPolicy) -> Any:
        """The shares of a softmax policy."""
        graph = self.graph
        losses = (self.worths[graph.sources] - self.gains).astype(float)
        weights = np.exp(-losses / softmax.temperature)
        totals = np.add.reduceat(weights, graph.begins)
        return (
            softmax.exact_probability * self.selected
            + (1 - softmax.exact_probability) * weights / totals[graph.sources]
        )


class TurnFlow(NamedTuple):
    """The shares of matches by end, endless and repeated ones, and the mean length."""

    ends: Any
    endless: float
    repeated: float
    """The share that is drawn by repetition."""
    length: float


def turn_flow(index: PositionIndex, first: Policy, second: Policy, repetition: int) -> TurnFlow:
    """The flow of matches between two policies."""
    graph = turn_graph_of(index)
    policies = zip((first, second), SEATS, strict=True)
    shares = sum(link_shares(index, graph, policy, seat) for policy, seat in policies)
    return flow_on(graph, shares, repetition)


def flow_on(graph: TurnGraph, shares: Any, repetition: int) -> TurnFlow:
    """The flow of matches that follow each link with some share.

    With `repetition` a match is drawn when a position comes up so many times; otherwise play from
    positions that lead to no end is endless.
    """
    count = graph.ends.size
    columns = np.arange(count + 3)
    endless, repeated, length = columns[count:]
    figures = np.zeros((graph.keys.size + count, columns.size))
    figures[graph.keys.size :, :count] = np.eye(count)
    can_end = np.zeros(len(figures), bool)
    can_end[graph.keys.size :] = True
    for layer in graph.layers:
        parts = shares[layer.links]
        known = layer.sum_links(parts[:, None] * figures[layer.targets])
        known[:, length] += 1
        inner = parts[layer.inner]
        if repetition:
            drawn = np.tile((columns == repeated).astype(float), (len(known), 1))
            figures[layer.places] = _drawn_if_repeated(layer, inner, known, drawn, repetition)
            continue
        ending = _can_end(layer, parts, can_end)
        can_end[layer.places] = ending
        known[~ending] = columns == endless
        inner = np.where(ending[layer.rows[layer.inner]], inner, 0.0)
        if (
            layer.is_large and layer.components[0, 0] == 0
        ):  # the last layer: only the start is asked for
            figures[0] = layer.visits(inner) @ known
        else:
            figures[layer.places] = layer.solve(inner, known)
    return TurnFlow(figures[0, :count], *map(float, figures[0, count:]))


def _drawn_if_repeated(
    layer: ComponentLayer, inner: Any, known: Any, drawn: Any, times: int
) -> Any:
    """The figures of a layer's positions where repetition is a draw."""
    stays = layer.sum_inner_links(inner)[:, None]
    if not layer.inner.size:
        return known
    return layer.unroll_cycle(times, drawn, lambda at, ahead: known[at] + stays[at] * ahead)


def _can_end(layer: ComponentLayer, parts: Any, can_end: Any) -> Any:
    """The positions of a layer from which an end can be reached."""
    found = np.logical_or.reduceat((parts > 0) & can_end[layer.targets], layer.begins)
    return layer.reaching(parts[layer.inner] > 0, found)


def _repack(keys: Any, source: Layout, target: Layout) -> Any:
    """Keys of one layout converted to another that the positions fit."""
    made = np.zeros_like(keys)
    place = 0
    for (low, width), (new_low, new_width) in zip(
        _backwards(source), _backwards(target), strict=True
    ):
        made |= ((keys & ((1 << width) - 1)) + low - new_low) << place
        keys = keys >> width
        place += new_width
    return made


def _backwards(layout: Layout) -> list[tuple[int, int]]:
    return list(zip(layout.lows, layout.widths, strict=True))[::-1]
