"""Summary figures of a study, by which rulings are compared; cheaper than a full study."""

from evenodds.claims.study_figures import (
    LEVEL_NAMES,
    PERFECT_POLICY,
    RANDOM_POLICY,
    Study,
    StudySummary,
    count_noticeable_steps,
)


def summary_of(study: Study) -> StudySummary:
    """The summary of a study."""
    perfect = study.plays[PERFECT_POLICY].odds
    return StudySummary(
        study.size.positions,
        study.value,
        study.plays[RANDOM_POLICY].odds.draw,
        perfect.draw,
        perfect.endless,
        perfect.length,
        study.choice.idle if study.size.decisions else None,
        study.skill.perfect_score,
        count_noticeable_steps(study.skill.comparisons) if study.skill.comparisons else None,
        study.size.longest is None and not study.repetition,
    )


LADDER_STEPS = len(LEVEL_NAMES) - 1
"""Steps of the ladder of levels."""
