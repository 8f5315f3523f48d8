"""How large a game is: positions, decisions, lines of play, and how long a match can be."""

from collections.abc import Iterator
from itertools import islice

import numpy as np

from evenodds.claims.study_figures import MAX_SHOWN_ROUNDS, RANDOM_POLICY, GameSize
from evenodds.core.vocabulary import PASS, SEATS
from evenodds.graph import masses_by_round, round_step
from evenodds.study.solved_game import SolvedGame


def game_size_of(solved: SolvedGame) -> GameSize:
    """The size of a solved game."""
    graph = solved.graph
    decisions = sum(
        len(block.places) * sum(block.numbers(seat).shape[1] > 1 for seat in SEATS)
        for block in graph.blocks
    )
    ended: list[float] = []
    for count in _ended_lines(solved):
        ended.append(count)
        if count and solved.loops:  # play may go on for ever
            break
    shortest = 1 + next(place for place, count in enumerate(ended) if count)
    longest = None if solved.loops else len(ended)
    branching = _branching_of(solved)
    return GameSize(graph.size, decisions, count_lines(solved), shortest, longest, branching)


def count_lines(solved: SolvedGame) -> int | None:
    """The number of lines of play; None where play can come back to a position."""
    return None if solved.loops else int(sum(_ended_lines(solved)))


def _ended_lines(solved: SolvedGame) -> Iterator[float]:
    """How many lines of play end in each round; floats hold whole numbers up to 2**53."""
    graph = solved.graph
    every = ([np.ones(block.numbers(seat).shape) for block in graph.blocks] for seat in SEATS)
    advance = round_step(graph, *every)
    lines = np.zeros(graph.size + len(graph.ends))
    lines[0] = 1.0
    while lines[: graph.size].any():
        lines = advance(lines)
        yield float(lines[graph.size :].sum())


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
