"""The first round: what each pair of picks is worth, and the best mix of either seat."""

from typing import NamedTuple

from evenodds.core.vocabulary import FIRST, SEATS, SECOND
from evenodds.study.metrics.solved_game import SolvedGame


class OpeningAnalysis(NamedTuple):
    """The first position."""

    first: list[int]
    """The numbers of the first seat; the only entry is 0 where it has nothing to decide."""
    second: list[int]
    payoff: list[list[float]]
    """What each pair of picks is worth to the first seat, a line for each of its numbers."""
    mixes: list[dict[int, float]]
    """The named best mix of each seat."""
    only: list[bool]
    """Whether that is the only one."""
    losses: list[dict[int, float]]
    """What each number of each seat gives away, in values from -1 to 1."""


def opening_analysis_of(solved: SolvedGame) -> OpeningAnalysis:
    """The opening of a game under some rulings."""
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
