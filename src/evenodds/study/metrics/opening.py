"""The first round: what each pair of picks is worth, and the best mix of either seat."""

from evenodds.claims.study_data import OpeningAnalysis
from evenodds.core.vocabulary import FIRST, SEATS, SECOND
from evenodds.study.solved.solved_game import SolvedGame


def opening_analysis_of(solved: SolvedGame) -> OpeningAnalysis:
    """The analysis of the start of a solved game."""
    solution = solved.solution
    matrix = solution.matrix(solution.start)
    block = solved.graph.blocks[0]
    losses = [
        dict(zip(block.numbers(seat)[0].tolist(), losses[0][0].tolist(), strict=True))
        for seat in SEATS
        for losses in [solved.selected.losses(seat)]
    ]
    return OpeningAnalysis(
        list(matrix.first),
        list(matrix.second),
        [list(line) for line in matrix.payoff],
        [solution.mix(solution.start, seat) for seat in (FIRST, SECOND)],
        [solution.is_only_mix(solution.start, seat) for seat in (FIRST, SECOND)],
        losses,
    )
