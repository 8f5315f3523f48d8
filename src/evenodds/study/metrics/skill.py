"""Skill: each level against the one below, matches needed to tell, and what simple habits score."""

from itertools import pairwise, product

from evenodds.claims.study_figures import (
    HIGHEST_POLICY,
    LEVEL_NAMES,
    PERFECT_POLICY,
    RANDOM_POLICY,
    HabitScores,
    LevelComparison,
    OutcomeOdds,
    SkillMetrics,
    compare_levels,
)
from evenodds.core.vocabulary import SEATS, other
from evenodds.engine.responses import best_response_to
from evenodds.engine.threads import WorkerThreads
from evenodds.study.solved_game import SolvedGame


def skill_metrics_of(solved: SolvedGame) -> SkillMetrics:
    """The exact comparison of all levels."""
    pairs = odds_between_all(solved, LEVEL_NAMES) if solved.compares_levels else {}
    perfect_score = solved.score(PERFECT_POLICY, RANDOM_POLICY)
    return SkillMetrics(_compare_neighbours(pairs), pairs, perfect_score)


def level_comparisons_of(solved: SolvedGame) -> list[LevelComparison]:
    """Each level against the one below; empty where levels are not compared."""
    if not solved.compares_levels:
        return []
    return _compare_neighbours(odds_between_all(solved, LEVEL_NAMES, only_neighbours=True))


def _compare_neighbours(pairs: dict[str, OutcomeOdds]) -> list[LevelComparison]:
    return [
        compare_levels(upper, pairs[f"{upper} {lower}"], pairs[f"{lower} {upper}"])
        for lower, upper in pairwise(LEVEL_NAMES)
        if pairs
    ]


def odds_between_all(
    solved: SolvedGame,
    names: tuple[str, ...],
    only_neighbours: bool = False,
    repetition: int | None = None,
) -> dict[str, OutcomeOdds]:
    """The odds between all pairs of policies, or only between neighbours, by `first second`.

    In a symmetric game one order of the seats gives both.
    """
    sides = {name: solved.both_shares(name) for name in names}
    place = {name: names.index(name) for name in names}
    pairs = [
        (one, two)
        for one, two in product(names, names)
        if not only_neighbours or abs(place[one] - place[two]) == 1
    ]
    symmetric = solved.game.mirror is not None
    computed = [(one, two) for one, two in pairs if not symmetric or place[one] <= place[two]]
    found: dict[tuple[str, str], OutcomeOdds] = {}

    def odds_of(pair: tuple[str, str]) -> OutcomeOdds:
        return solved.odds_between(sides[pair[0]][0], sides[pair[1]][1], repetition)

    with WorkerThreads() as threads:
        for (one, two), odds in zip(computed, threads.map(odds_of, computed), strict=True):
            if symmetric:
                found[two, one] = odds._replace(first=odds.second, second=odds.first)
            found[one, two] = odds
            solved.progress("weighing levels", len(found), len(pairs))
    return {f"{one} {two}": found[one, two] for one, two in pairs}


def habit_scores_of(solved: SolvedGame) -> dict[str, HabitScores]:
    """The scores of random picks, of always the highest number, and of perfect play.

    Perfect play takes no risk and need not punish a weak strategy; the best response does.
    """
    found = {}
    for habit in (RANDOM_POLICY, HIGHEST_POLICY):
        shares = ((seat, solved.shares(habit, other(seat))) for seat in SEATS)
        gains = [
            best_response_to(solved.graph, each, seat, solved.repetition).value
            for seat, each in shares
        ]
        # The mean over both seats of values from -1 to 1, halved to a score.
        answered = 0.5 - sum(gains) / 4
        found[habit] = HabitScores(solved.score(habit, PERFECT_POLICY), answered)
    return found | {PERFECT_POLICY: HabitScores(0.5, 0.5)}
