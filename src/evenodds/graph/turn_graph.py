"""Games of turns as a graph of links: one for each pick of the seat to move."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from evenodds.core.vocabulary import PASS, Seat
from evenodds.graph.components import (
    MAX_DENSE_COMPONENT_SIZE,
    ComponentLayer,
    component_graph,
    component_layers,
)
from evenodds.graph.position_index import PositionIndex
from evenodds.graph.strategies import StrategyShares
from evenodds.graph.transitions import TransitionGraph, transition_graph_of
from evenodds.kernels import ComponentGraph


@dataclass(frozen=True, eq=False)
class TurnGraph:
    """The positions of a game of turns, the seat to move, and a link for each pick."""

    transitions: TransitionGraph
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

    @property
    def is_compiled(self) -> bool:
        """Whether kernels over this graph are compiled, or interpreted."""
        return self.transitions.index.is_compiled

    @cached_property
    def bounds(self) -> Any:
        """The first link of each position, and the number of links."""
        return np.append(self.begins, self.targets.size)

    @cached_property
    def _ranked_components(self) -> tuple[ComponentGraph, Any]:
        return component_graph(self.bounds, self.targets, self.is_compiled)

    @property
    def components(self) -> ComponentGraph:
        """The strongly connected components in the order of play."""
        return self._ranked_components[0]

    @cached_property
    def layers(self) -> list[ComponentLayer]:
        """The positions in reverse topological order."""
        return component_layers(*self._ranked_components)

    @property
    def has_cycles(self) -> bool:
        """Whether play can come back to a position."""
        return bool(self.components.cyclic.any())

    @property
    def has_large_component(self) -> bool:
        """Whether a part of the graph is too large to be solved directly."""
        return bool(np.diff(self.components.bounds).max() > MAX_DENSE_COMPONENT_SIZE)

    @property
    def counts_repetitions(self) -> bool:
        """Whether repetitions can be counted without the history.

        So where play comes back to a position in a single way: all components with cycles are one
        cycle of one or two positions.
        """
        graph, inner = self.components, np.flatnonzero(self.components.inner)
        sources, targets = self.sources[inner], self.targets[inner]
        sizes = np.diff(graph.bounds)[graph.components[sources]]
        return bool(((sizes == 1) | (sizes == 2) & (targets != sources)).all())

    def outcomes(self) -> Any:
        """The outcome at the end of each link, where it leads to one."""
        return np.where(self.leads_on, 0, self.ends[np.minimum(self.targets, -1)])

    def at_targets(self, figures: Any, ends: Any) -> Any:
        """For each link the figure of the position it leads to, or that of its end."""
        return np.where(self.leads_on, figures[self.targets], ends)

    def link_shares(self, first: StrategyShares, second: StrategyShares) -> Any:
        """The probability of each link between two strategies."""
        found = np.empty(self.targets.size)
        for number, links in enumerate(self._block_links):
            found[links] = first[number] * second[number]
        return found

    def block_shares(self, links: Any, seat: Seat) -> StrategyShares:
        """The strategy of a seat from the shares of its links."""
        return [
            np.ones((len(block.places), 1)) if block.numbers(seat)[0, 0] == PASS else links[places]
            for block, places in zip(self.transitions.blocks, self._block_links, strict=True)
        ]

    @cached_property
    def _block_links(self) -> list[Any]:
        """For each block of the transition graph the links of each position."""
        return [
            self.begins[block.places, None] + np.arange(block.targets[0].size)
            for block in self.transitions.blocks
        ]


def turn_graph_of(index: PositionIndex) -> TurnGraph:
    """The turn graph of an index, built once."""
    if index.turn_graph is None:
        index.turn_graph = _build_turn_graph(transition_graph_of(index))
    graph: TurnGraph = index.turn_graph
    return graph


def _build_turn_graph(transitions: TransitionGraph) -> TurnGraph:
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
    ends = transitions.outcomes().astype(np.int64)
    return TurnGraph(transitions, movers, begins, sources, picks, targets, ends)
