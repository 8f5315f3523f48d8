"""The few figures by which rulings are compared, without all that a whole study takes."""

from typing import NamedTuple

from evenodds.core.claims.thresholds import DEFAULT_THRESHOLDS
from evenodds.core.vocabulary import FIRST, SECOND
from evenodds.study.metrics.choice import idle_of
from evenodds.study.metrics.outcomes import Fate, fate_of
from evenodds.study.metrics.skill import room_of, rungs_of, steps_in
from evenodds.study.metrics.solved_game import CHANCE, PERFECT, RUNGS, Survey
from evenodds.study.study import Study


class Brief(NamedTuple):
    """What a ruling makes of a game, in brief."""

    positions: int
    value: float
    chance_draw: float
    draw: float
    endless: float
    """Of perfect play, as the draw and the length are."""
    length: float | None
    idle: float | None
    """The share of decisions in which nothing depends on the pick; nothing where none is made."""
    room: float
    steps: int | None
    """Steps of the ladder that are felt; nothing where levels that meet hardly ever end."""
    goes_on: bool
    """Whether play can come back to a position and it cannot be told how often it does."""


def brief_of(study: Study, step: float = DEFAULT_THRESHOLDS.step) -> Brief:
    """What a study says in brief; `step` is the score of a step that is felt."""
    perfect = study.plays[PERFECT].fate
    return Brief(
        study.size.positions,
        study.value,
        study.plays[CHANCE].fate.draw,
        perfect.draw,
        perfect.endless,
        perfect.length,
        study.choice.idle if study.size.decisions else None,
        study.skill.room,
        steps_in(study.skill.rungs, step) if study.skill.rungs else None,
        study.size.longest is None and not study.repetition,
    )


def brief_found(survey: Survey, step: float = DEFAULT_THRESHOLDS.step) -> Brief:
    """The same without a study."""
    perfect = _fate(survey, PERFECT)
    return Brief(
        survey.atlas.size,
        survey.value,
        _fate(survey, CHANCE).draw,
        perfect.draw,
        perfect.endless,
        perfect.length,
        idle_of(survey),
        room_of(survey),
        None if survey.tangled else steps_in(rungs_of(survey), step),
        survey.loops and not survey.repetition,
    )


def _fate(survey: Survey, way: str) -> Fate:
    return fate_of(survey, survey.shares(way, FIRST), survey.shares(way, SECOND))


STEPS = len(RUNGS) - 1
"""Steps that a ladder has."""
