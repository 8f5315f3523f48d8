"""All metrics of a solved game: those of a study, or the few of its summary."""

from evenodds.claims.study_figures import (
    MIDDLE_LEVEL,
    PERFECT_POLICY,
    RANDOM_POLICY,
    OpeningAnalysis,
    SelfPlay,
    Study,
    StudySummary,
    count_noticeable_steps,
)
from evenodds.core.rulings import as_data
from evenodds.core.serialization import OUTCOMES
from evenodds.core.vocabulary import FIRST, SEATS, SECOND
from evenodds.study.metrics.choice import choice_metrics_of, idle_share_of
from evenodds.study.metrics.drama import drama_of
from evenodds.study.metrics.outcomes import (
    length_distribution_of,
    outcome_odds_of,
)
from evenodds.study.metrics.score_values import score_values_of
from evenodds.study.metrics.size import game_size_of
from evenodds.study.metrics.skill import (
    level_comparisons_of,
    skill_metrics_of,
)
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
        game_size_of(solved),
        {policy: _play(solved, policy) for policy in (RANDOM_POLICY, MIDDLE_LEVEL, PERFECT_POLICY)},
        choice_metrics_of(solved),
        skill_metrics_of(solved),
        opening_analysis_of(solved),
        score_values_of(solved),
        solved.repetition,
        [name for outcome, name in OUTCOMES.items() if outcome in reached],
    )


def _play(solved: SolvedGame, policy: str) -> SelfPlay:
    # In games with loops better players may go on for hundreds of rounds or for ever, so lengths
    # and drama, which follow matches round by round, are computed for random picks only.
    first, second = solved.shares(policy, FIRST), solved.shares(policy, SECOND)
    odds = outcome_odds_of(solved, first, second)
    played_on = outcome_odds_of(solved, first, second, 0) if solved.repetition else None
    if solved.loops and policy != RANDOM_POLICY:
        return SelfPlay(odds, played_on, None, None)
    lengths = length_distribution_of(solved, first, second)
    return SelfPlay(odds, played_on, lengths, drama_of(solved, first, second))


def opening_analysis_of(solved: SolvedGame) -> OpeningAnalysis:
    """The first round: what each pair of picks is worth, and the best mix of either seat."""
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
        [solution.mix(solution.start, seat) for seat in SEATS],
        [solution.is_only_mix(solution.start, seat) for seat in SEATS],
        losses,
    )


def summarize_solved_game(solved: SolvedGame) -> StudySummary:
    """The summary without a study: computes only what it needs."""
    chance, perfect, first, second = (
        outcome_odds_of(solved, solved.shares(one, FIRST), solved.shares(two, SECOND))
        for one, two in (
            (RANDOM_POLICY, RANDOM_POLICY),
            (PERFECT_POLICY, PERFECT_POLICY),
            (PERFECT_POLICY, RANDOM_POLICY),
            (RANDOM_POLICY, PERFECT_POLICY),
        )
    )
    return StudySummary(
        solved.graph.size,
        solved.value,
        chance.draw,
        perfect.draw,
        perfect.endless,
        perfect.length,
        idle_share_of(solved),
        (first.score + 1 - second.score) / 2,
        None if solved.mostly_cyclic else count_noticeable_steps(level_comparisons_of(solved)),
        solved.loops and not solved.repetition,
    )
