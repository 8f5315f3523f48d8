"""Shortest lines of play to an end, to a position, or back to a repeated position."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evenodds.core.vocabulary import Outcome, Pair
from evenodds.graph import Block
from evenodds.study.solved_game import SolvedGame


class ShortestLines:
    """Shortest lines of play in the transition graph of a solved game."""

    def __init__(self, solved: SolvedGame) -> None:
        self.solved = solved
        self._known: dict[tuple[int, ...], Any] = {}

    def to_end(
        self, outcome: Outcome | None, ending: str, after: Sequence[Pair], marked: Any = None
    ) -> list[Pair]:
        """The picks to the nearest such end that begin with `after`; empty where there are none.

        With `marked` the line passes through a marked position.
        """
        graph = self.solved.graph
        goals = [
            graph.size + place
            for place, end in enumerate(graph.ends)
            if outcome in (None, end.outcome) and ending in ("", end.ending)
        ]
        position = self._position_after(after)
        distances = self._distances(goals)
        if marked is None:
            found = np.isfinite(distances[position])
            return [*after, *self._follow(position, distances)] if found else []
        # Two searches: from the marked positions to the end, then from anywhere to a marked one,
        # which starts with the distance it has left.
        marked_distances = np.full(distances.size, np.inf)
        marked_distances[: marked.size][marked] = distances[: marked.size][marked]
        to_marked = self._relax(marked_distances)
        if not np.isfinite(to_marked[position]):
            return []
        picks: list[Pair] = []
        while to_marked[position] < marked_distances[position]:
            pair, position = _nearest(*self._block_and_row(position), to_marked)
            picks.append(pair)
        return [*after, *picks, *self._follow(position, distances)]

    def to_position(self, place: int) -> list[Pair]:
        """The picks to a position."""
        return self._follow(0, self._distances([place]))

    def round_trip(self, times: int) -> list[Pair]:
        """The picks to a position near the start, and round a cycle through it.

        The position comes up `times` times in all. Empty where the graph has no cycle.
        """
        if not self.solved.loops:
            return []
        for goal in self._cycle_positions():
            distances = self._distances([goal])
            first, position = _nearest(*self._block_and_row(goal), distances)
            if np.isfinite(distances[position]):
                return [
                    *self._follow(0, distances),
                    *[first, *self._follow(position, distances)] * (times - 1),
                ]
        return []

    def _cycle_positions(self) -> list[int]:
        """Positions on a cycle, the nearest to the start first."""
        graph = self.solved.graph.components
        found = np.flatnonzero(graph.cyclic[graph.components])
        order = np.argsort(self.solved.graph.depths[found], kind="stable")
        return [int(place) for place in found[order]]

    def _distances(self, goals: list[int]) -> Any:
        """The least number of rounds from every position to one of some positions or ends."""
        found = self._known.get(tuple(goals))
        if found is None:
            graph = self.solved.graph
            start_distances = np.full(graph.size + len(graph.ends), np.inf)
            start_distances[goals] = 0.0
            found = self._known[tuple(goals)] = self._relax(start_distances)
        return found

    def _relax(self, start_distances: Any) -> Any:
        """The shortest distances to the positions that have one at the start."""
        # In topological order one pass from the ends suffices; with cycles, passes are repeated
        # until nothing changes (Bellman-Ford).
        graph = self.solved.graph
        distances = start_distances.copy()
        before = None
        while before is None or (
            not self.solved.topologically_ordered and (before != distances).any()
        ):
            before = distances.copy()
            for block in reversed(graph.blocks):
                for piece in block.pieces():
                    places = block.places[piece]
                    nearest = distances[block.targets[piece]].min(axis=(1, 2)) + 1
                    distances[places] = np.minimum(distances[places], nearest)
        return distances

    def _follow(self, position: int, distances: Any) -> list[Pair]:
        """The picks of a shortest line from a position on."""
        picks: list[Pair] = []
        while distances[position] > 0:
            pair, position = _nearest(*self._block_and_row(position), distances)
            picks.append(pair)
        return picks

    def _position_after(self, picks: Sequence[Pair]) -> int:
        """The position after some picks."""
        position = 0
        for first, second in picks:
            block, row = self._block_and_row(position)
            one = int(np.flatnonzero(block.firsts[row] == first)[0])
            two = int(np.flatnonzero(block.seconds[row] == second)[0])
            position = int(block.targets[row, one, two])
        return position

    def _block_and_row(self, place: int) -> tuple[Block, int]:
        """The block of a position, and its row there."""
        for block in self.solved.graph.blocks:
            lines = np.flatnonzero(block.places == place)
            if lines.size:
                return block, int(lines[0])
        raise AssertionError("a position in no block")


def _nearest(block: Block, row: int, distances: Any) -> tuple[Pair, int]:
    """The pair of picks with the least distance left, and its successor."""
    nearest = distances[block.targets[row]]
    one, two = np.unravel_index(int(nearest.argmin()), nearest.shape)
    pair = (int(block.firsts[row, one]), int(block.seconds[row, two]))
    return pair, int(block.targets[row, one, two])
