"""How large a game is: positions, decisions, lines of play, and how long a match can be."""

from itertools import islice

import numpy as np

from evenodds.claims.study_figures import MAX_SHOWN_ROUNDS, RANDOM_POLICY, GameSize
from evenodds.core.vocabulary import PASS, SEATS
from evenodds.engine.flows import masses_by_round, sum_backwards
from evenodds.engine.retrograde import longest_line
from evenodds.study.solved_game import SolvedGame


def game_size_of(solved: SolvedGame) -> GameSize:
    """The size of a solved game."""
    graph = solved.graph
    decisions = sum(
        len(block.places) * sum(block.numbers(seat).shape[1] > 1 for seat in SEATS)
        for block in graph.blocks
    )
    lines, longest = count_lines(solved)
    shortest, branching = _shortest_of(solved), _branching_of(solved)
    return GameSize(graph.size, decisions, lines, shortest, longest, branching)


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


def _shortest_of(solved: SolvedGame) -> int:
    """The fewest rounds to an end: the first layer with a pick that ends the match."""
    graph = solved.graph
    ending = np.zeros(graph.size, bool)
    for block in graph.blocks:
        ending[block.places] = (block.targets >= graph.size).any(axis=(1, 2))
    keys = np.sort(graph.keys[ending])
    for depth, layer in enumerate(solved.listing.layers):
        if np.isin(layer, keys).any():
            return depth + 1
    raise AssertionError("a game without an end")


def count_lines(solved: SolvedGame) -> tuple[int | None, int | None]:
    """The number of lines of play, and the length of the longest; None where play can come back.

    Both are summed from the ends backwards; floats hold whole numbers up to 2**53.
    """
    if solved.loops:
        return None, None
    graph = solved.graph
    if not solved.topologically_ordered:
        lines = sum_backwards(graph, np.ones(graph.targets.size), np.ones(len(graph.ends)))
        return int(lines[0]), longest_line(graph)
    counts = np.append(np.zeros(graph.size), np.ones(len(graph.ends)))
    longest = np.zeros(counts.size, np.int64)
    for block in reversed(graph.blocks):
        for piece in block.pieces():
            places, targets = block.places[piece], block.targets[piece]
            counts[places] = counts[targets].sum(axis=(1, 2))
            longest[places] = longest[targets].max(axis=(1, 2)) + 1
    return int(counts[0]), int(longest[0])
