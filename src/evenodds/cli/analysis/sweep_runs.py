"""Runs of `sweep` and `repair`, and what they print and write."""

import json

import click

from evenodds.cli.shared.errors import EXIT_NEGATIVE, NegativeAnswer
from evenodds.cli.shared.files import write_output_file
from evenodds.cli.shared.workers import task_runner
from evenodds.core.catalog import AnyGame
from evenodds.figures import counted
from evenodds.solver import check_device
from evenodds.study import sweep_output
from evenodds.study.grid import Grid
from evenodds.study.repair import as_json, impossibility_proofs, repair
from evenodds.study.sweep import SweepResult, sweep
from evenodds.terminal.reports.repair import announce, show
from evenodds.terminal.reports.sweep import show as show_sweep
from evenodds.terminal.reports.sweep import sweep_progress_bar
from evenodds.terminal.screen import Screen


def run_sweep(
    grid: Grid, measures: tuple[str, ...], cluster: str | None, page: str | None, as_data: bool
) -> None:
    """Measure all rulings of a grid, then write, print or show the finding."""
    _check_device(grid.game, cluster)
    with task_runner(cluster) as runner, sweep_progress_bar() as progress:
        found = sweep(grid, measures, runner, progress)
    _output_finding(found, page, as_data)
    if not found.found:
        raise NegativeAnswer("none of these rulings could be solved")


def _check_device(game: AnyGame, cluster: str | None) -> None:
    """Refuse a wrong EVENODDS_DEVICE once: in the workers every ruling would fail of it."""
    if cluster is None:
        check_device(game)


def _output_finding(found: SweepResult, page: str | None, as_data: bool) -> None:
    if page:
        is_csv = page.endswith(".csv")
        text = sweep_output.as_csv(found) if is_csv else sweep_output.render_sweep_page(found)
        left = f"; {len(found.left_out):,} left out" if found.left_out else ""
        count = len(found.found)
        verb = "is" if count == 1 else "are"
        write_output_file(page, text, f"{counted(count, 'rulings')} {verb} in {page}{left}.")
    elif as_data:
        click.echo(json.dumps(sweep_output.as_json(found)))
    else:
        show_sweep(found, Screen())


def run_repair(game: AnyGame, goals: tuple[str, ...], cluster: str | None, as_data: bool) -> None:
    """Search rulings that keep what is wanted, then print or show them."""
    _check_device(game, cluster)
    if not as_data:
        announce(game, goals, impossibility_proofs(game, goals), Screen())
    with task_runner(cluster) as runner, sweep_progress_bar() as progress:
        found = repair(game, goals, runner, progress)
    if as_data:
        click.echo(json.dumps(as_json(found)))
    else:
        show(found, Screen())
    if not found.changes:
        raise click.exceptions.Exit(EXIT_NEGATIVE)
