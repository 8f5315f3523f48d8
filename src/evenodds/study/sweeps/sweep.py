"""Sweep over a grid of rulings: every combination solved, measured and cached.

What is found is kept at once, ruling by ruling: a sweep that is interrupted goes on where it was.
"""

from typing import Any, Final, NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import BadRuling, spoken
from evenodds.graph import load_result, save_result
from evenodds.solver import Progress, silent
from evenodds.study.position_bounds import too_many_positions
from evenodds.study.sweeps.grid import Grid
from evenodds.study.sweeps.measures import Figures, measures_edition
from evenodds.study.sweeps.worker import measure_task
from evenodds.system.cache_folder import CacheKind
from evenodds.workers.task import Task, TaskResult, TaskRunner

SWEEP_KIND: Final = CacheKind("sweep", "rows of sweeps")
SOLVING_STAGE = "solving rulings"


class SweepRow(NamedTuple):
    """One combination: all its rulings, and its figures or the reason why there are none."""

    rules: dict[str, str]
    figures: Figures | None
    reason: str = ""


class SweepResult(NamedTuple):
    """What a sweep found, in the order of its grid, whoever finished first."""

    grid: Grid
    measures: tuple[str, ...]
    rows: list[SweepRow]

    @property
    def found(self) -> list[SweepRow]:
        """The combinations with figures."""
        return [row for row in self.rows if row.figures is not None]

    @property
    def left_out(self) -> list[SweepRow]:
        """The combinations without."""
        return [row for row in self.rows if row.figures is None]

    def swept(self, row: SweepRow) -> dict[str, str]:
        """The rulings of a combination that are swept."""
        return {key: row.rules[key] for key in self.grid.axes}


def sweep(
    grid: Grid,
    measures: tuple[str, ...],
    team: TaskRunner,
    progress: Progress = silent,
    most: int | None = None,
) -> SweepResult:
    """Measure every combination of a grid.

    Those with more than `most` positions are left out, but never what the book itself says.
    """
    rows: list[SweepRow | None] = []
    desks: list[_PendingRow] = []
    for given in grid.combinations():
        desk = _row_or_pending(grid.game, given, measures, team, most)
        if isinstance(desk, _PendingRow):
            desks.append(desk._replace(place=len(rows)))
        rows.append(None if isinstance(desk, _PendingRow) else desk)
    desks.reverse()  # what comes last is mostly the largest, and best begun first
    progress(SOLVING_STAGE, 0, len(desks))
    for done, (place, answer) in enumerate(team.answers([desk.task for desk in desks]), 1):
        desk = desks[place]
        rows[desk.place] = desk.closed(grid.game, answer)
        progress(SOLVING_STAGE, done, len(desks))
    return SweepResult(grid, measures, [row for row in rows if row is not None])


class _PendingRow(NamedTuple):
    """A combination that is still to be measured, or a part of its measures."""

    place: int
    rulings: Any
    known: Figures
    task: Task
    measures: tuple[str, ...]
    limits: str

    def closed(self, game: AnyGame, answer: TaskResult) -> SweepRow:
        """The combination with what came of it, which is kept before anything else happens."""
        rules = spoken(self.rulings)
        if answer.found is None:
            if answer.lasting and self.limits:
                _save_cached(answer.reason, game, self.rulings, self.limits)
            return SweepRow(rules, None, answer.reason)
        known = {**self.known, **answer.found}
        _save_cached(known, game, self.rulings)
        return SweepRow(rules, {name: known[name] for name in self.measures})


def _row_or_pending(
    game: AnyGame,
    given: dict[str, str],
    measures: tuple[str, ...],
    team: TaskRunner,
    most: int | None,
) -> _PendingRow | SweepRow:
    """A combination to be measured; or what is known of it already."""
    try:
        rulings = game.settle_typed(given)
    except BadRuling as error:
        return SweepRow(spoken(game.rulings()) | given, None, str(error))
    most = None if rulings == game.rulings() else most
    rules, limits = spoken(rulings), str(most or team.limits)
    kept = _load_cached(game, rulings)
    known = _valid_figures(kept)
    missing = tuple(name for name in measures if name not in known)
    if not missing:
        found = {name: known[name] for name in measures}
        if most is not None and (found.get("positions") or 0) > most:
            return SweepRow(rules, None, too_many_positions(most))
        return SweepRow(rules, found)
    refused = _load_cached(game, rulings, limits) if limits else None
    if isinstance(refused, str):
        return SweepRow(rules, None, refused)
    task = measure_task(game, rulings, rules, missing, most)
    return _PendingRow(0, rulings, known, task, measures, limits)


def _valid_figures(kept: Any) -> Figures:
    """What was kept, where it is figures."""
    figures = isinstance(kept, dict) and all(
        one is None or isinstance(one, int | float) for one in kept.values()
    )
    return dict(kept) if figures else {}


def _load_cached(game: AnyGame, rulings: Any, *limits: str) -> Any:
    return load_result(game, rulings, SWEEP_KIND, *measures_edition(game), *limits)


def _save_cached(found: Any, game: AnyGame, rulings: Any, *limits: str) -> None:
    save_result(found, game, rulings, SWEEP_KIND, *measures_edition(game), *limits)
