"""Sweep over a grid of rulings: every combination solved, measured and cached.

Figures are cached as soon as a ruling is measured: an interrupted sweep resumes where it was.
"""

from typing import Any, NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import BadRuling, ruling_texts
from evenodds.core.vocabulary import Settled
from evenodds.graph import load_result, save_result, too_many_positions
from evenodds.players.levels import ladder_of
from evenodds.study.grid import Grid
from evenodds.study.measures import Figures
from evenodds.study.study import SWEEP_KIND
from evenodds.study.sweep_task import measure_task
from evenodds.system.progress import Progress, silent
from evenodds.workers.task import Task, TaskResult, TaskRunner

SOLVING_STAGE = "solving rulings"


class SweepRow(NamedTuple):
    """One combination: all its rulings, and its figures or why there are none."""

    rules: dict[str, str]
    figures: Figures | None
    reason: str = ""


class SweepResult(NamedTuple):
    """The rows of a sweep in the order of its grid."""

    grid: Grid
    measures: tuple[str, ...]
    rows: list[SweepRow]

    @property
    def found(self) -> list[SweepRow]:
        """The combinations with figures."""
        return [row for row in self.rows if row.figures is not None]

    @property
    def left_out(self) -> list[SweepRow]:
        """The combinations without figures."""
        return [row for row in self.rows if row.figures is None]

    def swept(self, row: SweepRow) -> dict[str, str]:
        """The swept rulings of a combination."""
        return {key: row.rules[key] for key in self.grid.axes}


def sweep(
    grid: Grid,
    measures: tuple[str, ...],
    runner: TaskRunner,
    progress: Progress = silent,
    max_positions: int | None = None,
) -> SweepResult:
    """Measure every combination of a grid.

    Those with more than `max_positions` positions are left out, except for the rule book's own.
    """
    rows: list[SweepRow | _PendingRow] = [
        _row_or_pending(grid.game, given, measures, runner, max_positions)
        for given in grid.combinations()
    ]
    queue = [(place, row) for place, row in enumerate(rows) if isinstance(row, _PendingRow)]
    queue.reverse()  # the largest mostly come last; begun first, they do not delay the end
    tasks = [row.task(grid.game, len(queue)) for _, row in queue]
    progress(SOLVING_STAGE, 0, len(queue))
    for done, (nth, result) in enumerate(runner.results(tasks), 1):
        place, pending = queue[nth]
        rows[place] = pending.complete(grid.game, result)
        progress(SOLVING_STAGE, done, len(queue))
    return SweepResult(grid, measures, [row for row in rows if isinstance(row, SweepRow)])


class _PendingRow(NamedTuple):
    """A combination with measures that are not cached."""

    rulings: Settled
    known: Figures
    measures: tuple[str, ...]
    max_positions: int | None
    limits: str

    def task(self, game: AnyGame, sweep_size: int) -> Task:
        """The task that computes what is not known."""
        missing = tuple(name for name in self.measures if name not in self.known)
        return measure_task(game, self.rulings, missing, self.max_positions, sweep_size)

    def complete(self, game: AnyGame, result: TaskResult) -> SweepRow:
        """The row with the result of its task, which is cached first."""
        rules = ruling_texts(self.rulings)
        if result.value is None:
            # A refusal is cached only if it would be the same within the same limits.
            if result.permanent and self.limits:
                _save_cached(result.reason, game, self.rulings, self.limits)
            return SweepRow(rules, None, result.reason)
        known = {**self.known, **result.value}
        _save_cached(known, game, self.rulings)
        return SweepRow(rules, {name: known[name] for name in self.measures})


def _row_or_pending(
    game: AnyGame,
    given: dict[str, str],
    measures: tuple[str, ...],
    runner: TaskRunner,
    max_positions: int | None,
) -> _PendingRow | SweepRow:
    """A combination to be measured; or its row from the cache."""
    try:
        rulings = game.settle_typed(given)
    except BadRuling as error:
        return SweepRow(ruling_texts(game.rulings()) | given, None, str(error))
    max_positions = None if rulings == game.rulings() else max_positions
    rules, limits = ruling_texts(rulings), str(max_positions or runner.limits)
    known = _valid_figures(_load_cached(game, rulings))
    if known.keys() >= set(measures):
        found = {name: known[name] for name in measures}
        if max_positions is not None and (found.get("positions") or 0) > max_positions:
            return SweepRow(rules, None, too_many_positions(max_positions))
        return SweepRow(rules, found)
    refused = _load_cached(game, rulings, limits) if limits else None
    if isinstance(refused, str):
        return SweepRow(rules, None, refused)
    return _PendingRow(rulings, known, measures, max_positions, limits)


def _valid_figures(cached: Any) -> Figures:
    """Cached data, if they are figures."""
    figures = isinstance(cached, dict) and all(
        one is None or isinstance(one, int | float) for one in cached.values()
    )
    return dict(cached) if figures else {}


def _load_cached(game: AnyGame, rulings: Settled, *limits: str) -> Any:
    return load_result(game, rulings, SWEEP_KIND, str(ladder_of(game)), *limits)


def _save_cached(found: Any, game: AnyGame, rulings: Settled, *limits: str) -> None:
    save_result(found, game, rulings, SWEEP_KIND, str(ladder_of(game)), *limits)
