"""The metrics of a solved game, computed on its graph: here all of them, together its study."""

from collections.abc import Callable
from typing import Any

from evenodds.claims.study_figures import (
    MIDDLE_LEVEL,
    PERFECT_POLICY,
    RANDOM_POLICY,
    OpeningAnalysis,
    SelfPlay,
    Study,
)
from evenodds.core.record import OUTCOMES
from evenodds.core.rulings import as_data
from evenodds.core.vocabulary import SEATS
from evenodds.study.metrics import choice, rounds
from evenodds.study.metrics.rounds import score_values_of
from evenodds.study.metrics.skill import level_comparisons_of, skill_metrics_of
from evenodds.study.solved_game import SolvedGame


def compute_study(solved: SolvedGame) -> Study:
    """Compute the study of a solved game."""
    solution = solved.solution
    reached = {end.outcome for end in solved.graph.ends}
    return Study(
        solved.game.name,
        as_data(solved.rulings),
        solved.value,
        solution.gap,
        solution.distance(solution.start),
        rounds.game_size_of(solved),
        {policy: _play(solved, policy) for policy in (RANDOM_POLICY, MIDDLE_LEVEL, PERFECT_POLICY)},
        choice.choice_metrics_of(solved),
        skill_metrics_of(solved),
        opening_analysis_of(solved),
        score_values_of(solved),
        solved.repetition,
        [name for outcome, name in OUTCOMES.items() if outcome in reached],
    )


def _play(solved: SolvedGame, policy: str) -> SelfPlay:
    # In games with loops better players may go on for hundreds of rounds or for ever, so lengths
    # and drama, which follow matches round by round, are computed for random picks only.
    shares = solved.both_shares(policy)
    odds = solved.odds_between(*shares)
    played_on = solved.odds_between(*shares, 0) if solved.repetition else None
    if solved.loops and policy != RANDOM_POLICY:
        return SelfPlay(odds, played_on, None, None)
    lengths = rounds.length_distribution_of(solved, *shares)
    return SelfPlay(odds, played_on, lengths, rounds.drama_of(solved, *shares))


def opening_analysis_of(solved: SolvedGame) -> OpeningAnalysis:
    """The first round: what each pair of picks is worth, and the best mix of either seat."""
    solution = solved.solution
    matrix = solution.matrix(solution.start)
    block = solved.graph.blocks[0]
    losses = [
        dict(zip(block.numbers(seat)[0].tolist(), given[0][0].tolist(), strict=True))
        for seat, given in ((seat, solved.selected.losses(seat)) for seat in SEATS)
    ]
    return OpeningAnalysis(
        list(matrix.first),
        list(matrix.second),
        [list(line) for line in matrix.payoff],
        [solution.mix(solution.start, seat) for seat in SEATS],
        [solution.is_only_mix(solution.start, seat) for seat in SEATS],
        losses,
    )


class _Figures:
    """Figures that are computed when they are first asked for."""

    def __init__(self, **computations: Callable[[], Any]) -> None:
        self._computations = computations

    def __getattr__(self, name: str) -> Any:
        found = self._computations[name]()
        setattr(self, name, found)
        return found


class LazyStudy(_Figures):
    """What measures read of a study, computed from a solved game when they do."""

    def __init__(self, solved: SolvedGame) -> None:
        super().__init__(
            value=lambda: solved.value,
            goes_on=lambda: solved.loops and not solved.repetition,
            chance=lambda: solved.odds(RANDOM_POLICY, RANDOM_POLICY),
            perfect=lambda: solved.odds(PERFECT_POLICY, PERFECT_POLICY),
            drama=lambda: rounds.drama_of(solved, *solved.both_shares(RANDOM_POLICY)),
        )
        self.size = _Figures(
            positions=lambda: solved.solution.positions, lines=lambda: rounds.count_lines(solved)
        )
        self.choice = _Figures(
            idle=lambda: choice.idle_share_of(solved), single=lambda: choice.single_share_of(solved)
        )
        self.skill = _Figures(
            comparisons=lambda: level_comparisons_of(solved),
            perfect_score=lambda: solved.score(PERFECT_POLICY, RANDOM_POLICY),
        )
