"""The first round: what each pair of picks is worth, and the best mix of either seat."""

from typing import NamedTuple

from evenodds.core.vocabulary import FIRST, SEATS, SECOND
from evenodds.study.metrics.solved_game import SolvedGame


class OpeningAnalysis(NamedTuple):
    """The payoff matrix and the best mixes of the start."""

    first: list[int]
    """The numbers of the first seat; 0 alone where it has no pick to make."""
    second: list[int]
    payoff: list[list[float]]
    """The value of each pair of picks to the first seat, a row for each of its numbers."""
    mixes: list[dict[int, float]]
    """The named best mix of each seat."""
    only: list[bool]
    """Whether it is the only best mix."""
    losses: list[dict[int, float]]
    """The loss of each number of each seat, in values from -1 to 1."""


def opening_analysis_of(solved: SolvedGame) -> OpeningAnalysis:
    """The analysis of the start of a solved game."""
    solution = solved.solution
    matrix = solution.matrix(solution.start)
    block = solved.graph.blocks[0]
    losses = [
        dict(zip(map(int, block.numbers(seat)[0]), solved.losses[seat][0][0].tolist(), strict=True))
        for seat in SEATS
    ]
    return OpeningAnalysis(
        list(matrix.first),
        list(matrix.second),
        [list(line) for line in matrix.payoff],
        [solution.mix(solution.start, seat) for seat in (FIRST, SECOND)],
        [solution.is_only_mix(solution.start, seat) for seat in (FIRST, SECOND)],
        losses,
    )
