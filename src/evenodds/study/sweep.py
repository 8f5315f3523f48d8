"""Sweep over a grid of rulings: every combination solved, measured and cached.

Figures are cached as soon as a ruling is measured: an interrupted sweep resumes where it was.
Rulings that are not cached are tasks for workers, which import NumPy then.
"""

from contextlib import suppress
from importlib import import_module
from typing import Any, Final, NamedTuple

import msgspec

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.kept_results import load_result, result_path, save_result
from evenodds.core.rule_checks import BadGame, TooLarge, too_many_positions
from evenodds.core.rulings import BadRuling, ruling_texts
from evenodds.core.vocabulary import Settled
from evenodds.players.levels import ladder_of
from evenodds.study import SWEEP_KIND
from evenodds.study.grid import Grid, offered
from evenodds.study.measures import Figures, compute_measures
from evenodds.study.study import refuse_to_solve
from evenodds.system import Progress, silent
from evenodds.system.imports import needs
from evenodds.workers.task import (
    DIFFERENT_RULES_REASON,
    InThisProcess,
    Task,
    TaskResult,
    TaskRunner,
)

SOLVING_STAGE: Final = "solving rulings"
MIN_COMPILED_RULINGS: Final = 60
"""Rulings of a sweep from which kernels are compiled for small games too: twice as many as take as
long as compiling."""


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

    Those with more than `max_positions` positions are left out, but for those that are `offered`.
    """
    rows = [
        _row_or_pending(grid.game, given, measures, runner.limits, max_positions)
        for given in grid.combinations()
    ]
    queue = [(place, row) for place, row in enumerate(rows) if isinstance(row, _PendingRow)]
    if queue:
        with needs("solver"):  # said here once, and not by the worker of each ruling
            import_module("numpy")
    queue.reverse()  # the largest mostly come last; begun first, they do not delay the end
    tasks = [
        measure_task(row.game, row.rulings, row.missing, row.max_positions, len(queue))
        for _, row in queue
    ]
    progress(SOLVING_STAGE, 0, len(queue))
    for done, (nth, result) in enumerate(runner.results(tasks), 1):
        place, pending = queue[nth]
        rows[place] = pending.complete(result)
        progress(SOLVING_STAGE, done, len(queue))
    return SweepResult(grid, measures, [row for row in rows if isinstance(row, SweepRow)])


class _PendingRow(NamedTuple):
    """A combination with measures that are not cached."""

    game: AnyGame
    rulings: Settled
    known: Figures
    missing: tuple[str, ...]
    measures: tuple[str, ...]
    max_positions: int | None
    limits: str

    def complete(self, result: TaskResult) -> SweepRow:
        """The row with the result of its task, which is cached first."""
        rules = ruling_texts(self.rulings)
        if result.value is None:
            # A refusal is cached only if it would be the same within the same limits.
            limits = self.limits if result.permanent else ""
            if self.max_positions and result.reason == too_many_positions(self.max_positions):
                limits = str(self.max_positions)
            if limits:
                save_result(result.reason, *_key(self.game, self.rulings), limits)
            return SweepRow(rules, None, result.reason)
        known = {**self.known, **result.value}
        save_result(known, *_key(self.game, self.rulings))
        return SweepRow(rules, {name: known[name] for name in self.measures})


def _row_or_pending(
    game: AnyGame,
    given: dict[str, str],
    measures: tuple[str, ...],
    limits: str,
    max_positions: int | None,
) -> _PendingRow | SweepRow:
    """A combination to be measured; or its row from the cache."""
    try:
        rulings = game.settle_typed(given)
    except BadRuling as error:
        return SweepRow(ruling_texts(game.rulings()) | given, None, str(error))
    max_positions = None if rulings in offered(game) else max_positions
    rules, key = ruling_texts(rulings), _key(game, rulings)
    known: Figures = {}
    with suppress(msgspec.ValidationError):  # not in the cache, or damaged
        known = msgspec.convert(load_result(*key), Figures)
    missing = tuple(name for name in measures if name not in known)
    if not missing:
        found = {name: known[name] for name in measures}
        if max_positions is not None and (known.get("positions") or 0) > max_positions:
            return SweepRow(rules, None, too_many_positions(max_positions))
        return SweepRow(rules, found)
    for limit in filter(None, (limits, str(max_positions or ""))):
        refused = load_result(*key, limit)
        if isinstance(refused, str):
            return SweepRow(rules, None, refused)
    return _PendingRow(game, rulings, known, missing, measures, max_positions, limits)


def _key(game: AnyGame, rulings: Settled) -> tuple[Any, ...]:
    return game, rulings, SWEEP_KIND, str(ladder_of(game))


def measured_edition(game: AnyGame, rulings: Settled) -> str:
    """A fingerprint of rules and measures, by which other workers refuse; may be empty."""
    path = result_path(*_key(game, rulings))
    return path.name if path else ""


def measure_task(
    game: AnyGame,
    rulings: Settled,
    measures: tuple[str, ...],
    max_positions: int | None,
    sweep_size: int = 1,
) -> Task:
    """The task to measure a ruling of a sweep, if it has no more than `max_positions` positions."""
    edition, rules = measured_edition(game, rulings), ruling_texts(rulings)
    arguments = (game.name, rules, measures, edition, max_positions, sweep_size)
    return Task(f"{__name__}:work", arguments)


def work(
    name: str,
    rules: dict[str, str],
    measures: tuple[str, ...],
    edition: str,
    max_positions: int | None,
    sweep_size: int,
) -> TaskResult:
    """Measure one ruling, if this process has the same edition of rules and measures."""
    with needs("solver"):
        from evenodds.study.solved_game import SolvedGame
    game = catalog.get(name)
    rulings = game.settle_typed(rules)
    if edition != measured_edition(game, rulings):
        return TaskResult(None, DIFFERENT_RULES_REASON)
    try:
        compiled = True if sweep_size >= MIN_COMPILED_RULINGS else None
        solved = SolvedGame(
            game, rulings, max_positions=max_positions, compiled=compiled, keep=False
        )
        return TaskResult(compute_measures(solved, tuple(measures)))
    except (TooLarge, BadGame) as error:
        return TaskResult(None, str(error), permanent=True)


IN_THIS_PROCESS: Final = InThisProcess(work)
CACHED_ONLY: Final = InThisProcess(refuse_to_solve)
