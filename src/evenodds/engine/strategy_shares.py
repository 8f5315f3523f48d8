"""Strategies as arrays: how likely a seat picks each number, at every position of the graph."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from evenodds.core.vocabulary import Seat
from evenodds.engine.graph import Graph

StrategyShares = Sequence[Any]
"""For each block of a graph a row for each position, with a column for each pick of the seat."""


class SharesOnDemand(Sequence[Any]):
    """A strategy that has to be asked position by position, by `mix_at`."""

    def __init__(
        self, graph: Graph, seat: Seat, mix_at: Callable[[Any], Mapping[int, float]]
    ) -> None:
        self._graph = graph
        self._seat = seat
        self._mix_at = mix_at

    def __len__(self) -> int:
        """How many blocks there are."""
        return len(self._graph.blocks)

    def __getitem__(self, number: Any) -> Any:
        """The shares in a block."""
        return self.where(number, np.ones(len(self._graph.blocks[number].places), bool))

    def where(self, number: int, asked: Any) -> Any:
        """The shares in a block at some positions; 0 at others, for which nobody is asked."""
        graph, block = self._graph, self._graph.blocks[number]
        shares = np.zeros((len(block.places), 1 + int(block.numbers(self._seat).max())))
        for row in np.flatnonzero(asked):
            state = graph.state(block.places[row])
            for pick, share in self._mix_at(state).items():
                shares[row, pick] = share
        return np.take_along_axis(shares, block.numbers(self._seat), axis=1)


def shares_where(strategy: StrategyShares, number: int, reached: Any) -> Any:
    """The shares in a block, where only some positions matter."""
    if isinstance(strategy, SharesOnDemand):
        return strategy.where(number, reached)
    return strategy[number]
