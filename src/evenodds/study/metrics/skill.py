"""Skill metrics: each level's score against the one below, and matches needed to tell."""

from itertools import pairwise

from evenodds.claims.study_figures import (
    LEVEL_NAMES,
    RANDOM_POLICY,
    LevelComparison,
    OutcomeOdds,
    SkillMetrics,
    compare_levels,
)
from evenodds.core.vocabulary import FIRST, SEATS, SECOND
from evenodds.kernels import worker_threads
from evenodds.study.metrics.outcomes import outcome_odds_of, seat_averaged_score
from evenodds.study.solved_game import SolvedGame


def skill_metrics_of(solved: SolvedGame, levels: tuple[str, ...] = LEVEL_NAMES) -> SkillMetrics:
    """The exact comparison of all levels."""
    if solved.mostly_cyclic:
        return SkillMetrics([], {}, perfect_score_against_random(solved))
    pairs = level_pair_odds(solved, levels)
    return SkillMetrics(
        compare_neighbour_levels(pairs, levels), pairs, perfect_score_against_random(solved)
    )


def level_comparisons_of(
    solved: SolvedGame, levels: tuple[str, ...] = LEVEL_NAMES
) -> list[LevelComparison]:
    """Each level against the one below."""
    return compare_neighbour_levels(level_pair_odds(solved, levels, only_neighbours=True), levels)


def compare_neighbour_levels(
    pairs: dict[str, OutcomeOdds], levels: tuple[str, ...]
) -> list[LevelComparison]:
    """The comparisons of neighbours, from their odds in both seats."""
    return [
        compare_levels(upper, pairs[f"{upper} {lower}"], pairs[f"{lower} {upper}"])
        for lower, upper in pairwise(levels)
    ]


def level_pair_odds(
    solved: SolvedGame, levels: tuple[str, ...], only_neighbours: bool = False
) -> dict[str, OutcomeOdds]:
    """The odds between all levels, or only between neighbours.

    In a symmetric game one order of the seats gives both.
    """
    sides = [[solved.shares(level, seat) for level in levels] for seat in SEATS]
    symmetric = solved.game.mirror is not None
    all_pairs = [
        (one, two)
        for one in range(len(levels))
        for two in range(len(levels))
        if not only_neighbours or abs(one - two) == 1
    ]
    computed = [(one, two) for one, two in all_pairs if not symmetric or one <= two]
    found: dict[str, OutcomeOdds] = {}

    def odds_of(pair: tuple[int, int]) -> OutcomeOdds:
        return outcome_odds_of(solved, sides[FIRST][pair[0]], sides[SECOND][pair[1]])

    with worker_threads() as threads:
        for (one, two), odds in zip(computed, threads.map(odds_of, computed), strict=True):
            if symmetric:
                found[f"{levels[two]} {levels[one]}"] = _exchanged(odds)
            found[f"{levels[one]} {levels[two]}"] = odds
            solved.progress("weighing levels", len(found), len(all_pairs))
    return {
        f"{levels[one]} {levels[two]}": found[f"{levels[one]} {levels[two]}"]
        for one, two in all_pairs
    }


def perfect_score_against_random(solved: SolvedGame) -> float:
    """The score of perfect play against random picks, averaged over both seats."""
    chance = [solved.shares(RANDOM_POLICY, seat) for seat in SEATS]
    return seat_averaged_score(solved, solved.equilibrium, chance)


def _exchanged(odds: OutcomeOdds) -> OutcomeOdds:
    return odds._replace(first=odds.second, second=odds.first)
