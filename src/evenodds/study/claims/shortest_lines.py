"""Shortest lines of play to an end, to a position, or back to a repeated position."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evenodds.core.vocabulary import Outcome, Pair
from evenodds.graph import TransitionBlock
from evenodds.policy.turn_play import turn_graph_of
from evenodds.study.metrics.solved_game import SolvedGame


class ShortestLines:
    """The ways through a game that is spread out."""

    def __init__(self, solved: SolvedGame) -> None:
        self.solved = solved
        self._found: dict[tuple[int, ...], Any] = {}

    def to_end(
        self, outcome: Outcome | None, ending: str, after: Sequence[Pair], marked: Any = None
    ) -> list[Pair]:
        """The picks to the nearest such end, from some picks on; none where none leads there.

        With marks they come through an open position that is marked.
        """
        graph = self.solved.graph
        goals = [
            graph.size + place
            for place, end in enumerate(graph.ends)
            if outcome in (None, end.outcome) and ending in ("", end.ending)
        ]
        where = self._after(after)
        far = self._far(goals)
        if marked is None:
            return [*after, *self._on(where, far)] if np.isfinite(far[where]) else []
        there = np.full(far.size, np.inf)
        there[: marked.size][marked] = far[: marked.size][marked]
        way = self._measured(there)
        if not np.isfinite(way[where]):
            return []
        picks: list[Pair] = []
        while way[where] < there[where]:
            pair, where = _nearest(*self._at(where), way)
            picks.append(pair)
        return [*after, *picks, *self._on(where, far)]

    def to_place(self, place: int) -> list[Pair]:
        """The picks to an open position."""
        return self._on(0, self._far([place]))

    def round_trip(self, times: int) -> list[Pair]:
        """The picks to a position near the start that play can come back to, and round again.

        It comes up so many times in all. None where play never comes back.
        """
        if not self.solved.loops:
            return []
        for goal in self._turning():
            far = self._far([goal])
            first, where = _nearest(*self._at(goal), far)
            if np.isfinite(far[where]):
                return [*self._on(0, far), *[first, *self._on(where, far)] * (times - 1)]
        return []

    def _turning(self) -> list[int]:
        """The positions that play may come back to, the nearest first.

        A knot may hold some that only lead into it: what nothing else in it leads to is left out.
        """
        layers = [
            layer for layer in turn_graph_of(self.solved.position_index).layers if layer.inner.size
        ]
        sources = np.concatenate([layer.places[layer.rows[layer.inner]] for layer in layers])
        targets = np.concatenate([layer.targets[layer.inner] for layer in layers])
        turning = np.zeros(self.solved.graph.size, bool)
        turning[sources] = True
        before = 0
        while before != (before := int(turning.sum())):
            met = np.zeros(turning.size, bool)
            met[targets[turning[sources]]] = True
            turning &= met
        found = np.flatnonzero(turning)
        order = np.argsort(self.solved.graph.depths[found], kind="stable")
        return [int(place) for place in found[order]]

    def _far(self, goals: list[int]) -> Any:
        """How many rounds it takes at least from every place to one of some places or ends."""
        found = self._found.get(tuple(goals))
        if found is None:
            graph = self.solved.graph
            begin = np.full(graph.size + len(graph.ends), np.inf)
            begin[goals] = 0.0
            found = self._found[tuple(goals)] = self._measured(begin)
        return found

    def _measured(self, begin: Any) -> Any:
        """How far it is from every place, where some begin with how far they are."""
        graph = self.solved.graph
        far = begin.copy()
        before = None
        while before is None or (not self.solved.topologically_ordered and (before != far).any()):
            before = far.copy()
            for block in reversed(graph.blocks):
                for piece in block.pieces():
                    places = block.places[piece]
                    nearest = far[block.targets[piece]].min(axis=(1, 2)) + 1
                    far[places] = np.minimum(far[places], nearest)
        return far

    def _on(self, where: int, far: Any) -> list[Pair]:
        """The picks of a shortest line from a place on."""
        picks: list[Pair] = []
        while far[where] > 0:
            pair, where = _nearest(*self._at(where), far)
            picks.append(pair)
        return picks

    def _after(self, picks: Sequence[Pair]) -> int:
        """The place that some picks lead to."""
        where = 0
        for first, second in picks:
            block, line = self._at(where)
            one = int(np.flatnonzero(block.firsts[line] == first)[0])
            two = int(np.flatnonzero(block.seconds[line] == second)[0])
            where = int(block.targets[line, one, two])
        return where

    def _at(self, place: int) -> tuple[TransitionBlock, int]:
        """The sheet on which a place lies, and its line there."""
        for block in self.solved.graph.blocks:
            lines = np.flatnonzero(block.places == place)
            if lines.size:
                return block, int(lines[0])
        raise AssertionError("a place on no sheet")


def _nearest(block: TransitionBlock, line: int, far: Any) -> tuple[Pair, int]:
    """The pair of picks that leads nearest to what is measured, and where it leads."""
    nearest = far[block.targets[line]]
    one, two = np.unravel_index(int(nearest.argmin()), nearest.shape)
    pair = (int(block.firsts[line, one]), int(block.seconds[line, two]))
    return pair, int(block.targets[line, one, two])
