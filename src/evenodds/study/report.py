"""A full study report as data: study, claim results, questions and ruling variants."""

from functools import lru_cache
from typing import Any, NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.claims.thresholds import DEFAULT_THRESHOLDS, Thresholds
from evenodds.solver import Progress, silent
from evenodds.study.claims.results import ClaimResult, ClaimResults, claim_results_of
from evenodds.study.claims.ruling_variants import RulingVariant, ruling_variants_of
from evenodds.study.metrics.solved_game import SolvedGame, SolvedGameFactory
from evenodds.study.study import Study, study_of


class StudyReport(NamedTuple):
    """A study, what became of the promises, our own questions, and every ruling each way."""

    study: Study
    promises: list[ClaimResult]
    questions: list[ClaimResult]
    readings: list[RulingVariant]
    thresholds: Thresholds
    """Where the verdicts draw the line."""


def study_report_of(
    game: AnyGame,
    rulings: Any,
    progress: Progress = silent,
    build: SolvedGameFactory = SolvedGame,
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
) -> StudyReport:
    """Everything about a game: opened where it is kept, else found and kept.

    Raises `TooLarge` or `BadGame` in one line, and whatever `build` raises.
    """
    study, findings = _study_and_claim_results(game, rulings, progress, build, thresholds)
    readings = ruling_variants_of(game, study, progress, build, thresholds.step)
    return StudyReport(study, *findings, readings, thresholds)


def _study_and_claim_results(
    game: AnyGame,
    rulings: Any,
    progress: Progress,
    build: SolvedGameFactory,
    thresholds: Thresholds,
) -> tuple[Study, ClaimResults]:
    """The study and the findings; the game is spread out once at most, and let go."""
    once = lru_cache(build)
    study = study_of(game, rulings, progress, once)
    return study, claim_results_of(game, rulings, progress, once, thresholds)
