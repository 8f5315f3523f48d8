"""The metrics of a solved game, computed on its graph: here all of them, together its study."""

from collections.abc import Callable
from typing import Any, Final

from evenodds.claims.study_figures import (
    MIDDLE_LEVEL,
    PERFECT_POLICY,
    RANDOM_POLICY,
    OpeningAnalysis,
    PointFigures,
    SelfPlay,
    Study,
)
from evenodds.core.record import OUTCOMES
from evenodds.core.rulings import as_data
from evenodds.core.vocabulary import SEATS
from evenodds.study.metrics import choice, rounds
from evenodds.study.metrics.rounds import score_values_of
from evenodds.study.metrics.skill import level_comparisons_of, share_won, skill_metrics_of
from evenodds.study.solved_game import SolvedGame


def compute_study(solved: SolvedGame) -> Study:
    """Compute the study of a solved game."""
    solution, gain = solved.solution, solved.points(PERFECT_POLICY, RANDOM_POLICY)
    plays = {
        policy: _play(solved, policy) for policy in (RANDOM_POLICY, MIDDLE_LEVEL, PERFECT_POLICY)
    }
    reached = {end.outcome for end in solved.graph.ends}
    if gain is not None:  # random picks come to every sum
        odds = plays[RANDOM_POLICY].odds
        reached = {outcome for outcome, name in OUTCOMES.items() if getattr(odds, name) > 0}
    return Study(
        solved.game.name,
        as_data(solved.rulings),
        solved.value,
        solution.gap * solved.scale,
        solution.distance(solution.start),
        rounds.game_size_of(solved),
        plays,
        choice.choice_metrics_of(solved),
        skill_metrics_of(solved),
        _opening_analysis(solved),
        score_values_of(solved) if gain is None else [],
        solved.repetition,
        [name for outcome, name in OUTCOMES.items() if outcome in reached],
        None if gain is None else PointFigures(solution.span, solved.value / solved.scale, gain),
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


def _opening_analysis(solved: SolvedGame) -> OpeningAnalysis:
    solution = solved.solution
    if solved.game.draws(solution.start):  # nobody picks there
        return OpeningAnalysis([], [], [], [{}, {}], [True, True], [{}, {}])
    matrix = solution.matrix(solution.start)
    block, losses_of = solved.graph.blocks[0], solved.selected.losses
    losses = [
        dict(zip(block.numbers(seat)[0].tolist(), lost.tolist(), strict=True))
        for seat in SEATS
        for lost in [losses_of(seat)[0][0] * solved.scale]
    ]
    return OpeningAnalysis(
        list(matrix.first),
        list(matrix.second),
        [[worth * solved.scale for worth in line] for line in matrix.payoff],
        [solution.mix(solution.start, seat) for seat in SEATS],
        [solution.is_only_mix(solution.start, seat) for seat in SEATS],
        losses,
    )


class LazyStudy:
    """What measures read of a study, computed from a solved game when they do."""

    def __init__(self, solved: SolvedGame) -> None:
        self._solved = solved
        self.size = self.choice = self.skill = self  # no two figures of theirs share a name

    def __getattr__(self, name: str) -> Any:
        found = _FIGURES[name](self._solved)
        setattr(self, name, found)
        return found


_FIGURES: Final[dict[str, Callable[[SolvedGame], Any]]] = {
    "value": lambda solved: solved.value,
    "goes_on": lambda solved: solved.loops and not solved.repetition,
    "chance": lambda solved: solved.odds(RANDOM_POLICY, RANDOM_POLICY),
    "perfect": lambda solved: solved.odds(PERFECT_POLICY, PERFECT_POLICY),
    "drama": lambda solved: rounds.drama_of(solved, *solved.both_shares(RANDOM_POLICY)),
    "positions": lambda solved: solved.solution.positions,
    "lines": rounds.count_lines,
    "idle": choice.idle_share_of,
    "single": choice.single_share_of,
    "comparisons": level_comparisons_of,
    "perfect_score": lambda solved: share_won(solved, PERFECT_POLICY, RANDOM_POLICY),
}
