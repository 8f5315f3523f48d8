"""How large a game is: positions, decisions, lines of play, and how long a match can be."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from evenodds.claims.study_figures import MAX_SHOWN_ROUNDS, RANDOM_POLICY, GameSize
from evenodds.core.vocabulary import PASS, SEATS
from evenodds.graph import masses_by_round
from evenodds.study.solved_game import SolvedGame


def game_size_of(solved: SolvedGame) -> GameSize:
    """The size of a solved game."""
    graph = solved.graph
    decisions = sum(
        len(block.places) * sum(block.numbers(seat).shape[1] > 1 for seat in SEATS)
        for block in graph.blocks
    )
    lines, longest = count_lines(solved)
    by_round = enumerate(masses_by_round(graph, *solved.both_shares(RANDOM_POLICY)))
    shortest = next(round for round, masses in by_round if masses[graph.size :].any())
    return GameSize(graph.size, decisions, lines, shortest, longest, _branching_of(solved))


def _branching_of(solved: SolvedGame) -> list[float]:
    """The mean number of choices of the seats that pick, round by round."""
    found: list[float] = []
    chance = solved.both_shares(RANDOM_POLICY)
    for mass in islice(masses_by_round(solved.graph, *chance), MAX_SHOWN_ROUNDS):
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


def count_lines(solved: SolvedGame) -> tuple[int | None, int | None]:
    """The number of lines of play, and the length of the longest; None where play can come back.

    Both are summed from the ends backwards; floats hold whole numbers up to 2**53.
    """
    if solved.loops:
        return None, None
    size = solved.graph.size + len(solved.graph.ends)
    counts, longest = np.zeros(size), np.zeros(size, np.int64)
    counts[solved.graph.size :] = 1.0
    for places, targets, begins in _steps(solved):
        counts[places] = np.add.reduceat(counts[targets], begins)
        longest[places] = np.maximum.reduceat(longest[targets], begins) + 1
    return int(counts[0]), int(longest[0])


def _steps(solved: SolvedGame) -> Iterator[tuple[Any, Any, Any]]:
    """All positions from the ends backwards: by blocks, or by the layers of the turn graph.

    Some positions, the concatenated lists of their successors, and where each list begins.
    """
    if solved.topologically_ordered:
        for block in reversed(solved.graph.blocks):
            width = block.targets[0].size
            for piece in block.pieces():
                places = block.places[piece]
                begins = np.arange(0, places.size * width, width)
                yield places, block.targets[piece].reshape(-1), begins
        return
    for layer in solved.graph.layers:
        yield layer.places, layer.targets, layer.begins
