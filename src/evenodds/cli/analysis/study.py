"""The command `study`."""

import json
from pathlib import Path
from typing import Any

import click

from evenodds.claims.thresholds import THRESHOLDS
from evenodds.cli.shared.command_table import command
from evenodds.cli.shared.options import GameName, read_rulings, rule_option
from evenodds.core import catalog
from evenodds.graph import TooLarge
from evenodds.study.report import (
    SampledStudy,
    StudyReport,
    sampled_study_of,
    study_report_of,
)
from evenodds.study.study import to_data
from evenodds.system.files import is_regular_file
from evenodds.terminal.progress_bar import progress_bar
from evenodds.terminal.reports.study import show, show_sample
from evenodds.terminal.screen import Screen

PAGE_SUFFIXES = (".html", ".htm")


@command
@click.argument("game", type=GameName(), required=False)
@rule_option
@click.option("--all", "every", is_flag=True, help="Study all games, and compare them.")
@click.option("--json", "as_data", is_flag=True, help="Print the study as JSON.")
@click.option("-o", "target", type=click.Path(), metavar="PAGE.html", help="Write a web page.")
def study(
    game: catalog.AnyGame | None,
    rules: tuple[str, ...],
    every: bool,
    as_data: bool,
    target: str | None,
) -> None:
    """Everything is computed from the exact solution.

    With --all -o FOLDER, writes a page for each game and a comparison of all.
    """
    if every == (game is not None):
        raise click.UsageError("Name a GAME, or say --all.")
    if as_data and target:
        raise click.UsageError("--json and -o exclude each other.")
    if every and (rules or not target):
        raise click.UsageError("--all goes with -o FOLDER, and without --rule.")
    if target:
        _check_name(target, every)
    settled: Any = None if game is None else game.settle(read_rulings(game, rules))
    if target:
        # Pages are slow to import, and asked for seldom.
        from evenodds.cli.analysis.study_pages import write_all_pages, write_page

        if game is None:
            write_all_pages(Path(target))
        else:
            write_page(game, settled, target)
    elif game is not None:
        _show(game, settled, as_data)


def _check_name(target: str, every: bool) -> None:
    """`UsageError` for an output name of the wrong kind."""
    page = target.endswith(PAGE_SUFFIXES)
    if every and page:
        raise click.UsageError(f"-o {target} is not allowed with --all; allowed: a folder")
    if not every and not page and is_regular_file(Path(target)):
        raise click.UsageError(f"-o {target} is not allowed; allowed: a name in .html")


def _show(game: catalog.AnyGame, settled: Any, as_data: bool) -> None:
    """One game on the screen or as JSON; sampled where it is too large."""
    found: StudyReport | SampledStudy
    try:
        with progress_bar() as progress:
            found = study_report_of(game, settled, progress)
    except TooLarge as error:
        found = sampled_study_of(game, settled, str(error))
    if as_data:
        drawn = {name: threshold.value for name, threshold in THRESHOLDS.items()}
        lines = {"thresholds": drawn} if isinstance(found, StudyReport) else {}
        click.echo(json.dumps(to_data(found) | lines))
    elif isinstance(found, StudyReport):
        show(found, Screen())
    else:
        show_sample(found, Screen())
