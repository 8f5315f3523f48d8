"""Ruling variants: each ruling changed alone. Their figures are those of a sweep."""

from typing import Final, NamedTuple

from evenodds.claims.study_figures import Study
from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import OneOf, Option
from evenodds.study.grid import Grid, allows, command_for
from evenodds.study.measures import VARIANT_MEASURES, Figures, compute_measures
from evenodds.study.sweep import IN_THIS_PROCESS, SweepRow, sweep
from evenodds.system import Progress, silent
from evenodds.workers.task import TaskRunner

Rules = dict[str, int | str]
"""Rulings as data (`rulings.as_data`)."""

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


def variant_values(game: AnyGame, rules: Rules) -> dict[str, list[int | str]]:
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
