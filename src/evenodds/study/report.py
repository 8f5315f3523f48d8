"""A full study report as data: study, claim results, questions and ruling variants."""

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from evenodds.claims.study_figures import Study
from evenodds.core.catalog import AnyGame
from evenodds.core.vocabulary import Settled
from evenodds.study.claim_results import ClaimResult, ClaimResults, claim_results_of
from evenodds.study.game_building import SolvedGameFactory, build_solved_game
from evenodds.study.study import study_of
from evenodds.study.variants import RulingVariant, ruling_variants_of
from evenodds.system.progress import Progress, silent

if TYPE_CHECKING:
    from evenodds.study.solved_game import SolvedGame


class StudyReport(NamedTuple):
    """A study with the results of its claims and questions, and the variants of every ruling."""

    study: Study
    promises: list[ClaimResult]
    questions: list[ClaimResult]
    readings: list[RulingVariant]


def study_report_of(
    game: AnyGame,
    rulings: Settled,
    progress: Progress = silent,
    build: SolvedGameFactory = build_solved_game,
) -> StudyReport:
    """The full report of a game, from the cache where it is there.

    Raises `TooLarge` or `BadGame`, and whatever `build` raises.
    """
    study, claim_results = _study_and_claim_results(game, rulings, progress, build)
    variants = ruling_variants_of(game, study, progress, build)
    return StudyReport(study, *claim_results, variants)


def _study_and_claim_results(
    game: AnyGame,
    rulings: Settled,
    progress: Progress,
    build: SolvedGameFactory,
) -> tuple[Study, ClaimResults]:
    # A function of its own, so that the solved game is freed before the variants are solved; the
    # cache lets study and claims share one.
    @lru_cache
    def build_once(
        game: AnyGame, rulings: Settled, progress: Progress, max_positions: int | None = None
    ) -> "SolvedGame":
        return build(game, rulings, progress, max_positions=max_positions)

    study = study_of(game, rulings, progress, build_once)
    return study, claim_results_of(game, rulings, progress, build_once)
