"""Summary figures of a study, by which rulings are compared; cheaper than a full study."""

from typing import NamedTuple

from evenodds.core.claims.thresholds import DEFAULT_THRESHOLDS
from evenodds.core.vocabulary import FIRST, SECOND
from evenodds.study.metrics.choice import idle_share_of
from evenodds.study.metrics.outcomes import OutcomeOdds, outcome_odds_of
from evenodds.study.metrics.skill import (
    count_noticeable_steps,
    level_comparisons_of,
    perfect_score_against_random,
)
from evenodds.study.metrics.solved_game import (
    LEVEL_NAMES,
    PERFECT_POLICY,
    RANDOM_POLICY,
    SolvedGame,
)
from evenodds.study.study import Study


class StudySummary(NamedTuple):
    """The summary figures of a game under some rulings. The fields are keys of the cache."""

    positions: int
    value: float
    chance_draw: float
    draw: float
    endless: float
    """Of perfect play, as `draw` and `length` are."""
    length: float | None
    idle: float | None
    """The share of decisions in which nothing depends on the pick; None without decisions."""
    room: float
    steps: int | None
    """Noticeable steps of the ladder of levels; None where matches of levels hardly ever end."""
    goes_on: bool
    """Whether positions can come up again and repetitions cannot be counted."""


def summary_of(study: Study, step: float = DEFAULT_THRESHOLDS.step) -> StudySummary:
    """The summary of a study; `step` is the score of a noticeable step."""
    perfect = study.plays[PERFECT_POLICY].fate
    return StudySummary(
        study.size.positions,
        study.value,
        study.plays[RANDOM_POLICY].fate.draw,
        perfect.draw,
        perfect.endless,
        perfect.length,
        study.choice.idle if study.size.decisions else None,
        study.skill.room,
        count_noticeable_steps(study.skill.rungs, step) if study.skill.rungs else None,
        study.size.longest is None and not study.repetition,
    )


def summarize_solved_game(
    solved: SolvedGame, step: float = DEFAULT_THRESHOLDS.step
) -> StudySummary:
    """The summary without a study: computes only what it needs."""
    perfect = _odds(solved, PERFECT_POLICY)
    return StudySummary(
        solved.graph.size,
        solved.value,
        _odds(solved, RANDOM_POLICY).draw,
        perfect.draw,
        perfect.endless,
        perfect.length,
        idle_share_of(solved),
        perfect_score_against_random(solved),
        None
        if solved.mostly_cyclic
        else count_noticeable_steps(level_comparisons_of(solved), step),
        solved.loops and not solved.repetition,
    )


def _odds(solved: SolvedGame, policy: str) -> OutcomeOdds:
    return outcome_odds_of(solved, solved.shares(policy, FIRST), solved.shares(policy, SECOND))


LADDER_STEPS = len(LEVEL_NAMES) - 1
"""Steps of the ladder of levels."""
