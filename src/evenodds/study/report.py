"""A full study report as data, with each ruling changed alone; for too large rulings, a sample.

The figures of changed rulings are those of a sweep.
"""

from functools import cache, partial
from typing import Final, NamedTuple

from evenodds.claims.study_figures import Study
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame, RuledGame
from evenodds.core.rulings import OneOf, Option, as_data, format_rulings
from evenodds.core.vocabulary import Settled
from evenodds.figures import Estimate, mean, share
from evenodds.study.claim_results import claim_results_of
from evenodds.study.grid import Grid, allows, command_for
from evenodds.study.measures import VARIANT_MEASURES, Figures, compute_measures
from evenodds.study.named_odds import solve_for_study
from evenodds.study.study import refuse_to_solve, study_of
from evenodds.study.sweep import CACHED_ONLY, IN_THIS_PROCESS, SweepRow, sweep
from evenodds.study.verdict import ClaimResult
from evenodds.system import Progress, silent
from evenodds.system.imports import needs
from evenodds.system.text import TextTable
from evenodds.workers.task import TaskRunner

DEFAULT_SAMPLE_MATCHES: Final = 1_000_000
SAMPLE_SEED: Final = 0
MAX_VARIANT_POSITIONS: Final = 1_500_000
"""Variants with more positions are left out."""
MAX_EXHAUSTIVE_VALUES: Final = 4
"""The longest range of numbers that is tried whole; of a longer one only neighbours are."""
OFF_VALUE: Final = 0
"""The value that switches a ruling off, where it is allowed."""


class RulingVariant(NamedTuple):
    """A game with one ruling changed, the others as they are."""

    key: str
    value: str
    figures: Figures | None
    reason: str
    """Why there are no figures."""
    command: str
    """The command that studies this variant."""


class StudyReport(NamedTuple):
    """A study with the results of its claims and questions, and the variants of every ruling."""

    study: Study
    claims: list[ClaimResult]
    questions: list[ClaimResult]
    variants: list[RulingVariant]

    def _repr_markdown_(self) -> str:
        """The questions and the claims as tables, for notebooks."""
        rulings = format_rulings(self.study.rules)
        parts = [f"**{catalog.get(self.study.game).title}** ({rulings})"]
        for head, found in (("question", self.questions), ("claim", self.claims)):
            rows: list[tuple[str, ...]] = [(it.text, it.verdict, it.evidence) for it in found]
            parts += [TextTable((head, "verdict", "evidence"), rows).as_markdown()] if rows else []
        return "\n\n".join(parts)


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


def ruling_variants_of(
    game: AnyGame,
    study: Study,
    progress: Progress = silent,
    runner: TaskRunner = IN_THIS_PROCESS,
    max_positions: int = MAX_VARIANT_POSITIONS,
) -> list[RulingVariant]:
    """Every value of every ruling, the others as they are; none for one with a single value."""
    now = {key: str(value) for key, value in study.rules.items()}
    rules = [
        (key, now | {key: str(value)})
        for key, values in variant_values(game, study.rules).items()
        for value in values
        if len(values) > 1
    ]
    measures = (*VARIANT_MEASURES, "goes_on")
    changed = Grid(game, {}, [one for _, one in rules if one != now])
    same = SweepRow(now, compute_measures(study, measures))
    rows = iter(sweep(changed, measures, runner, progress, max_positions).rows)
    variants = []
    for key, one in rules:
        _, figures, reason = same if one == now else next(rows)
        command = command_for("study", game, one)
        variants.append(RulingVariant(key, one[key], figures, reason, command))
    return variants


def variant_values(game: AnyGame, rules: dict[str, int | str]) -> dict[str, list[int | str]]:
    """The values of each ruling that are studied, as they are typed."""
    texts = {name: str(value) for name, value in rules.items()}
    return {
        key: [
            value for value in _tried(option, rules[key]) if allows(game, texts | {key: str(value)})
        ]
        for key, option in game.options.items()
    }


def _tried(option: Option, now: int | str) -> list[int | str]:
    """All words; numbers next to the current one, and the one that switches the ruling off."""
    if isinstance(option, OneOf):
        return list(option.words)
    low, high = option.low, option.high
    if isinstance(high, int) and high - low < MAX_EXHAUSTIVE_VALUES:
        return list(range(low, high + 1))
    near = {int(now) + step for step in (-1, 0, 1)}
    return [*sorted(near | {OFF_VALUE} if low == OFF_VALUE else near)]


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
