"""How large a game is: positions, decisions, lines of play, and how long a match can be."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from evenodds.claims.study_figures import MAX_SHOWN_ROUNDS, RANDOM_POLICY, GameSize
from evenodds.core.vocabulary import PASS, SEATS
from evenodds.graph import masses_by_round, turn_graph_of
from evenodds.study.solved_game import SolvedGame


def game_size_of(solved: SolvedGame) -> GameSize:
    """The size of a solved game."""
    graph = solved.graph
    decisions = sum(
        len(block.places) * sum(block.numbers(seat).shape[1] > 1 for seat in SEATS)
        for block in graph.blocks
    )
    lines, longest = (None, None) if solved.loops else _count_lines(solved)
    return GameSize(
        graph.size,
        decisions,
        lines,
        shortest_of(solved),
        longest,
        branching_of(solved),
    )


def branching_of(solved: SolvedGame) -> list[float]:
    """The mean number of choices of the seats that pick, round by round."""
    found: list[float] = []
    first, second = (solved.shares(RANDOM_POLICY, seat) for seat in SEATS)
    for mass in islice(masses_by_round(solved.graph, first, second), MAX_SHOWN_ROUNDS):
        picking = choices = 0.0
        for block in solved.graph.blocks:
            here = float(mass[block.places].sum())
            for seat in SEATS:
                numbers = block.numbers(seat)
                if numbers[0, 0] != PASS:
                    picking += here
                    choices += here * numbers.shape[1]
        if not picking:
            break
        found.append(choices / picking)
    return found


def shortest_of(solved: SolvedGame) -> int:
    """The fewest rounds to an end: the first layer with a pick that ends the match."""
    graph = solved.graph
    ending = np.zeros(graph.size, bool)
    for block in graph.blocks:
        ending[block.places] = (block.targets >= graph.size).any(axis=(1, 2))
    keys = np.sort(graph.keys[ending])
    for depth, layer in enumerate(solved.position_index.layers):
        if np.isin(layer, keys).any():
            return depth + 1
    raise AssertionError("a game without an end")


def _count_lines(solved: SolvedGame) -> tuple[int, int]:
    """The number of lines of play of an acyclic graph, and the length of the longest.

    Both are summed from the ends backwards; floats hold whole numbers up to 2**53.
    """
    size = _size(solved)
    counts, longest = np.zeros(size), np.zeros(size, np.int64)
    counts[solved.graph.size :] = 1.0
    for step in _steps(solved):
        counts[step.places] = step.summed(counts)
        longest[step.places] = step.largest(longest) + 1
    return int(counts[0]), int(longest[0])


class _Step(NamedTuple):
    """Some positions, and the concatenated lists of their successors."""

    places: Any
    targets: Any
    begins: Any
    """Where the list of each position begins."""

    def summed(self, figures: Any) -> Any:
        """The sum over the successors of each position."""
        return np.add.reduceat(figures[self.targets], self.begins)

    def largest(self, figures: Any) -> Any:
        """The maximum over the successors of each position."""
        return np.maximum.reduceat(figures[self.targets], self.begins)


def _steps(solved: SolvedGame) -> Iterator[_Step]:
    """All positions from the ends backwards: by blocks, or by the layers of the turn graph."""
    if solved.topologically_ordered:
        for block in reversed(solved.graph.blocks):
            width = block.targets[0].size
            for piece in block.pieces():
                places = block.places[piece]
                begins = np.arange(0, places.size * width, width)
                yield _Step(places, block.targets[piece].reshape(-1), begins)
        return
    for layer in turn_graph_of(solved.position_index).layers:
        targets = np.where(layer.targets < 0, layer.targets + _size(solved), layer.targets)
        yield _Step(layer.places, targets, layer.begins)


def _size(solved: SolvedGame) -> int:
    return solved.graph.size + len(solved.graph.ends)
