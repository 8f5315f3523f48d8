"""A full study report as data; where rulings are too large to be solved, a sample instead."""

from functools import cache, partial
from typing import Final, NamedTuple

from evenodds.claims.study_figures import Study
from evenodds.core.catalog import AnyGame, RuledGame
from evenodds.core.rulings import as_data
from evenodds.core.vocabulary import Settled
from evenodds.figures import Estimate, mean, share
from evenodds.study.claim_results import claim_results_of
from evenodds.study.study import refuse_to_solve, solve_for_study, study_of
from evenodds.study.sweep import CACHED_ONLY, IN_THIS_PROCESS
from evenodds.study.variants import RulingVariant, ruling_variants_of
from evenodds.study.verdict import ClaimResult
from evenodds.system import Progress, silent
from evenodds.system.imports import needs

DEFAULT_SAMPLE_MATCHES: Final = 1_000_000
SAMPLE_SEED: Final = 0


class StudyReport(NamedTuple):
    """A study with the results of its claims and questions, and the variants of every ruling."""

    study: Study
    claims: list[ClaimResult]
    questions: list[ClaimResult]
    variants: list[RulingVariant]


def study_report_of(
    game: AnyGame, rulings: Settled, progress: Progress = silent, *, cached_only: bool = False
) -> StudyReport:
    """The full report of a game, from the cache where it is there.

    Raises `TooLarge` or `BadGame`; with `cached_only`, `NotCached` instead of solving anything.
    """
    # Study and claims share one solved game.
    solve = cache(
        refuse_to_solve if cached_only else partial(solve_for_study, game, rulings, progress)
    )
    study = study_of(game, rulings, progress, solve)
    claims, questions = claim_results_of(game, rulings, progress, solve)
    solve.cache_clear()  # frees it before the variants are solved
    runner = CACHED_ONLY if cached_only else IN_THIS_PROCESS
    variants = ruling_variants_of(game, study, progress, runner)
    return StudyReport(study, claims, questions, variants)


class SampledStudy(NamedTuple):
    """Estimates from random matches of a game that is too large to be solved."""

    game: str
    rules: dict[str, int | str]
    reason: str
    """Why the game was not solved."""
    matches: int
    first: Estimate
    draw: Estimate
    second: Estimate
    cut_off: Estimate
    """Matches that were still open after the most rounds that the simulator plays."""
    length: Estimate
    endings: dict[str, Estimate]
    repetition: int
    """How often a position came up before the match was drawn; 0: never."""


def sampled_study_of(
    game: AnyGame, rulings: Settled, reason: str, matches: int = DEFAULT_SAMPLE_MATCHES
) -> SampledStudy:
    """Estimates from random matches with a fixed seed."""
    with needs("solver"):
        from evenodds.engine.simulate import simulate
    found = simulate(RuledGame(game, rulings), matches=matches, seed=SAMPLE_SEED)
    return SampledStudy(
        game.name,
        as_data(rulings),
        reason,
        matches,
        share(found.first, matches),
        share(found.draw, matches),
        share(found.second, matches),
        share(found.cut_off, matches),
        mean(found.lengths),
        {name: share(count, matches) for name, count in found.endings.items()},
        found.repetition,
    )
