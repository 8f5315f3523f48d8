"""Skill: each level against the one below, matches needed to tell, and what simple habits score."""

from collections.abc import Iterable
from itertools import pairwise, product

from evenodds.claims.study_figures import (
    HIGHEST_POLICY,
    LEVEL_NAMES,
    NEIGHBOURS,
    PERFECT_POLICY,
    RANDOM_POLICY,
    HabitScores,
    LevelComparison,
    Odds,
    SkillMetrics,
    compare_levels,
)
from evenodds.core.vocabulary import FIRST, SEATS, SECOND, other
from evenodds.engine.responses import best_response_to
from evenodds.engine.threads import WorkerThreads
from evenodds.study.solved_game import SolvedGame


def skill_metrics_of(solved: SolvedGame) -> SkillMetrics:
    """The exact comparison of all levels."""
    all_pairs = product(LEVEL_NAMES, LEVEL_NAMES)
    pairs = odds_between_all(solved, all_pairs) if solved.compares_levels else {}
    perfect_score = share_won(solved, PERFECT_POLICY, RANDOM_POLICY)
    return SkillMetrics(_compare_neighbours(pairs), pairs, perfect_score)


def level_comparisons_of(solved: SolvedGame) -> list[LevelComparison]:
    """Each level against the one below; empty where levels are not compared."""
    if not solved.compares_levels:
        return []
    return _compare_neighbours(odds_between_all(solved, NEIGHBOURS))


def _compare_neighbours(pairs: dict[str, Odds]) -> list[LevelComparison]:
    return [compare_levels(upper, lower, pairs) for lower, upper in pairwise(LEVEL_NAMES) if pairs]


def odds_between_all(
    solved: SolvedGame, pairs: Iterable[tuple[str, str]], repetition: int | None = None
) -> dict[str, Odds]:
    """The odds of pairs of policies, by `first second`; where one order gives both, of both."""
    symmetric = solved.game.mirror is not None
    computed = [*dict.fromkeys(min(pair, pair[::-1]) if symmetric else pair for pair in pairs)]
    firsts = {one: solved.shares(one, FIRST) for one in {one for one, _ in computed}}
    seconds = {two: solved.shares(two, SECOND) for two in {two for _, two in computed}}
    found: dict[str, Odds] = {}

    def odds_of(pair: tuple[str, str]) -> Odds:
        return solved.odds_between(firsts[pair[0]], seconds[pair[1]], repetition)

    with WorkerThreads() as threads:
        for done, odds in enumerate(threads.map(odds_of, computed), 1):
            one, two = computed[done - 1]
            if symmetric:
                points = None if odds.points is None else -odds.points
                turned = odds._replace(first=odds.second, second=odds.first, points=points)
                found[f"{two} {one}"] = turned
            found[f"{one} {two}"] = odds
            solved.progress("weighing levels", done, len(computed))
    return dict(sorted(found.items()))


def best_opponent_score(solved: SolvedGame, policy: str, repetition: int) -> float:
    """The score of the best response to a policy, on average over both seats."""
    seats = SEATS if solved.game.mirror is None else SEATS[:1]
    answered = ((seat, solved.shares(policy, other(seat))) for seat in seats)
    gains = [
        best_response_to(solved.graph, each, seat, repetition).value for seat, each in answered
    ]
    return 0.5 + solved.scale * sum(gains) / len(gains) / 2


def share_won(solved: SolvedGame, one: str, two: str) -> float:
    """The score of a policy against another; with points the share of all that can be won."""
    gain = solved.points(one, two)
    return solved.score(one, two) if gain is None else 0.5 + gain * solved.scale / 2


def habit_scores_of(solved: SolvedGame) -> dict[str, HabitScores]:
    """The scores of random picks, of always the highest number, and of perfect play.

    Perfect play takes no risk and need not punish a weak strategy; the best response does.
    """
    found = {
        habit: HabitScores(
            share_won(solved, habit, PERFECT_POLICY),
            1 - best_opponent_score(solved, habit, solved.repetition),
        )
        for habit in (RANDOM_POLICY, HIGHEST_POLICY)
    }
    return found | {PERFECT_POLICY: HabitScores(0.5, 0.5)}
