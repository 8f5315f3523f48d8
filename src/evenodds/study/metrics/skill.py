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
"""How many deviations the mean of many matches must lie above one half: 95 of 100 are below."""


NEITHER: Final = "neither"


class LevelComparison(NamedTuple):
    """A level against the one below, on average over both seats."""

    name: str
    score: float
    drawn: float
    matches: int | None
    """After so many matches the better of the two leads with a confidence of 95 %; None: never."""

    @property
    def better(self) -> str:
        """Which of the two levels is better, if any is."""
        if self.matches is None:
            return NEITHER
        return self.name if self.score > 0.5 else LEVEL_NAMES[LEVEL_NAMES.index(self.name) - 1]


class SkillMetrics(NamedTuple):
    """The ladder of levels of a game."""

    rungs: list[LevelComparison]
    """Nothing where matches between levels hardly ever end: they are not weighed then."""
    pairs: dict[str, OutcomeOdds]
    """How matches end between each two levels, the one in the first seat named first, as matches
    are played: with the draw by repetition."""
    room: float
    """What perfect play scores against chance, on average over both seats."""

    @property
    def span(self) -> LevelComparison | None:
        """The highest level against the lowest; None where levels are not weighed."""
        if not self.rungs:
            return None
        low, high = LEVEL_NAMES[0], LEVEL_NAMES[-1]
        return compare_levels(high, self.pairs[f"{high} {low}"], self.pairs[f"{low} {high}"])


def skill_metrics_of(solved: SolvedGame, levels: tuple[str, ...] = LEVEL_NAMES) -> SkillMetrics:
    """The exact ladder of levels: every pair of them, seats and all."""
    if solved.mostly_cyclic:
        return SkillMetrics([], {}, perfect_score_against_random(solved))
    pairs = level_pair_odds(solved, levels)
    return SkillMetrics(
        compare_neighbour_levels(pairs, levels), pairs, perfect_score_against_random(solved)
    )


def level_comparisons_of(
    solved: SolvedGame, levels: tuple[str, ...] = LEVEL_NAMES
) -> list[LevelComparison]:
    """The ladder alone: each level against the one below."""
    return compare_neighbour_levels(level_pair_odds(solved, levels, apart=1), levels)


def compare_neighbour_levels(
    pairs: dict[str, OutcomeOdds], levels: tuple[str, ...]
) -> list[LevelComparison]:
    """The ladder, from how matches end between neighbours in both orders."""
    return [
        compare_levels(upper, pairs[f"{upper} {lower}"], pairs[f"{lower} {upper}"])
        for lower, upper in pairwise(levels)
    ]


def count_noticeable_steps(rungs: list[LevelComparison], step: float) -> int:
    """Steps of a ladder that are felt: with this score or a better one."""
    return sum(rung.score >= step - VALUE_TOLERANCE for rung in rungs)


def level_pair_odds(
    solved: SolvedGame, levels: tuple[str, ...], apart: int = len(LEVEL_NAMES)
) -> dict[str, OutcomeOdds]:
    """How matches end between two levels that stand no farther apart.

    Where seats are alike one way round says all.
    """
    sides = [[solved.shares(level, seat) for level in levels] for seat in SEATS]
    even = solved.game.mirror is not None
    near = [
        (one, two)
        for one in range(len(levels))
        for two in range(len(levels))
        if abs(one - two) <= apart
    ]
    wanted = [(one, two) for one, two in near if not even or one <= two]
    found: dict[str, OutcomeOdds] = {}

    def meet(pair: tuple[int, int]) -> OutcomeOdds:
        one, two = pair
        return outcome_odds_of(solved, sides[FIRST][one], sides[SECOND][two])

    with worker_threads(solved.progress) as at_work:
        for (one, two), odds in zip(wanted, at_work.pool.map(meet, wanted), strict=True):
            if even:
                found[f"{levels[two]} {levels[one]}"] = _exchanged(odds)
            found[f"{levels[one]} {levels[two]}"] = odds
            solved.progress("weighing levels", len(found), len(near))
    return {
        f"{levels[one]} {levels[two]}": found[f"{levels[one]} {levels[two]}"] for one, two in near
    }


def perfect_score_against_random(solved: SolvedGame) -> float:
    """What perfect play scores against chance, on average over both seats."""
    best = solved.equilibrium
    first = outcome_odds_of(solved, best[FIRST], solved.shares(RANDOM_POLICY, SECOND))
    second = outcome_odds_of(solved, solved.shares(RANDOM_POLICY, FIRST), best[SECOND])
    return (first.score + 1 - second.score) / 2


def compare_levels(name: str, first: OutcomeOdds, second: OutcomeOdds) -> LevelComparison:
    """A level by how it fares in the first seat and in the second against the one below."""
    won = (first.first + second.second) / 2
    drawn = (first.draw + first.endless + second.draw + second.endless) / 2
    score = won + drawn / 2
    return LevelComparison(name, score, drawn, matches_needed(won, drawn))


def matches_needed(won: float, drawn: float) -> int | None:
    """How many matches until the lead of the better player, whichever it is, is beyond chance."""
    lead = won + drawn / 2 - 0.5
    if abs(lead) <= VALUE_TOLERANCE:
        return None
    spread = won + drawn / 4 - (0.5 + lead) ** 2
    return max(1, ceil(CONFIDENCE_Z_SCORE**2 * max(0.0, spread) / lead**2 - VALUE_TOLERANCE))


def _exchanged(odds: OutcomeOdds) -> OutcomeOdds:
    """The same with the seats exchanged."""
    return odds._replace(first=odds.second, second=odds.first)
