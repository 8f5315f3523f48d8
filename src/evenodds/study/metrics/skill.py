"""Skill metrics: each level's score against the one below, and matches needed to tell."""

from itertools import pairwise
from math import ceil
from typing import Final, NamedTuple

from evenodds.core.vocabulary import FIRST, SEATS, SECOND
from evenodds.kernels import worker_threads
from evenodds.study.metrics.outcomes import OutcomeOdds, outcome_odds_of
from evenodds.study.metrics.solved_game import (
    LEVEL_NAMES,
    RANDOM_POLICY,
    SolvedGame,
)
from evenodds.system.tolerance import VALUE_TOLERANCE

CONFIDENCE_Z_SCORE: Final = 1.6448536269514722
"""The 95 % quantile of the normal distribution."""


NEITHER: Final = "neither"


class LevelComparison(NamedTuple):
    """A level against the one below, averaged over both seats."""

    name: str
    score: float
    drawn: float
    matches: int | None
    """Matches until the better one leads with a confidence of 95 %; None: never."""

    @property
    def better(self) -> str:
        """The better of the two levels, if any is."""
        if self.matches is None:
            return NEITHER
        return self.name if self.score > 0.5 else LEVEL_NAMES[LEVEL_NAMES.index(self.name) - 1]


class SkillMetrics(NamedTuple):
    """The ladder of levels of a game."""

    rungs: list[LevelComparison]
    """Empty where matches between levels hardly ever end."""
    pairs: dict[str, OutcomeOdds]
    """The odds between each two levels, by `first second`, with the draw by repetition."""
    room: float
    """The score of perfect play against random picks, averaged over both seats."""

    @property
    def span(self) -> LevelComparison | None:
        """The highest level against the lowest; None without comparisons."""
        if not self.rungs:
            return None
        low, high = LEVEL_NAMES[0], LEVEL_NAMES[-1]
        return compare_levels(high, self.pairs[f"{high} {low}"], self.pairs[f"{low} {high}"])


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
    return compare_neighbour_levels(level_pair_odds(solved, levels, max_distance=1), levels)


def compare_neighbour_levels(
    pairs: dict[str, OutcomeOdds], levels: tuple[str, ...]
) -> list[LevelComparison]:
    """The comparisons of neighbours, from their odds in both seats."""
    return [
        compare_levels(upper, pairs[f"{upper} {lower}"], pairs[f"{lower} {upper}"])
        for lower, upper in pairwise(levels)
    ]


def count_noticeable_steps(rungs: list[LevelComparison], step: float) -> int:
    """The number of levels that score `step` or more against the one below."""
    return sum(comparison.score >= step - VALUE_TOLERANCE for comparison in rungs)


def level_pair_odds(
    solved: SolvedGame, levels: tuple[str, ...], max_distance: int = len(LEVEL_NAMES)
) -> dict[str, OutcomeOdds]:
    """The odds between levels that are at most `max_distance` apart.

    In a symmetric game one order of the seats gives both.
    """
    sides = [[solved.shares(level, seat) for level in levels] for seat in SEATS]
    symmetric = solved.game.mirror is not None
    all_pairs = [
        (one, two)
        for one in range(len(levels))
        for two in range(len(levels))
        if abs(one - two) <= max_distance
    ]
    computed = [(one, two) for one, two in all_pairs if not symmetric or one <= two]
    found: dict[str, OutcomeOdds] = {}

    def odds_of(pair: tuple[int, int]) -> OutcomeOdds:
        one, two = pair
        return outcome_odds_of(solved, sides[FIRST][one], sides[SECOND][two])

    with worker_threads(solved.progress) as threads:
        for (one, two), odds in zip(computed, threads.pool.map(odds_of, computed), strict=True):
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
    best = solved.equilibrium
    first = outcome_odds_of(solved, best[FIRST], solved.shares(RANDOM_POLICY, SECOND))
    second = outcome_odds_of(solved, solved.shares(RANDOM_POLICY, FIRST), best[SECOND])
    return (first.score + 1 - second.score) / 2


def compare_levels(name: str, first: OutcomeOdds, second: OutcomeOdds) -> LevelComparison:
    """The comparison of a level with the one below, from its odds in the first and second seat."""
    won = (first.first + second.second) / 2
    drawn = (first.draw + first.endless + second.draw + second.endless) / 2
    score = won + drawn / 2
    return LevelComparison(name, score, drawn, matches_needed(won, drawn))


def matches_needed(won: float, drawn: float) -> int | None:
    """Matches until the lead of the better player is significant; None where there is no lead."""
    lead = won + drawn / 2 - 0.5
    if abs(lead) <= VALUE_TOLERANCE:
        return None
    variance = won + drawn / 4 - (0.5 + lead) ** 2
    return max(1, ceil(CONFIDENCE_Z_SCORE**2 * max(0.0, variance) / lead**2 - VALUE_TOLERANCE))


def _exchanged(odds: OutcomeOdds) -> OutcomeOdds:
    return odds._replace(first=odds.second, second=odds.first)
