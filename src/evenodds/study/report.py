"""All that is to be said about a rule book under some rulings, gathered for those who tell it."""

from functools import lru_cache
from typing import Any, NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.claims.thresholds import DEFAULT_THRESHOLDS, Thresholds
from evenodds.solver import Progress, silent
from evenodds.study.claims.results import Findings, Kept, findings_of
from evenodds.study.claims.ruling_variants import Reading, readings_of
from evenodds.study.metrics.solved_game import Spread, Survey
from evenodds.study.study import Study, study_of


class Folio(NamedTuple):
    """A study, what became of the promises, our own questions, and every ruling each way."""

    study: Study
    promises: list[Kept]
    questions: list[Kept]
    readings: list[Reading]
    thresholds: Thresholds
    """Where the verdicts draw the line."""


def folio_of(
    game: AnyGame,
    rulings: Any,
    progress: Progress = silent,
    spread: Spread = Survey,
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
) -> Folio:
    """Everything about a game: opened where it is kept, else found and kept.

    Raises `TooLarge` or `BadGame` in one line, and whatever `spread` raises.
    """
    study, findings = _found(game, rulings, progress, spread, thresholds)
    readings = readings_of(game, study, progress, spread, thresholds.step)
    return Folio(study, *findings, readings, thresholds)


def _found(
    game: AnyGame, rulings: Any, progress: Progress, spread: Spread, thresholds: Thresholds
) -> tuple[Study, Findings]:
    """The study and the findings; the game is spread out once at most, and let go."""
    once = lru_cache(spread)
    study = study_of(game, rulings, progress, once)
    return study, findings_of(game, rulings, progress, once, thresholds)
