"""The command `study`."""

import json
from pathlib import Path
from typing import Any

import click

from evenodds.claims.thresholds import THRESHOLDS
from evenodds.cli import options
from evenodds.cli.command_table import command
from evenodds.cli.options import check_writable, option, write_output_file, writing
from evenodds.core.catalog import AnyGame, list_games
from evenodds.core.rule_checks import BadGame, TooLarge
from evenodds.figures import to_data
from evenodds.study.report import SampledStudy, StudyReport, sampled_study_of, study_report_of
from evenodds.system.files import is_regular_file
from evenodds.terminal.progress_bar import progress_bar
from evenodds.terminal.reports.study import show, show_sample
from evenodds.terminal.screen import Screen

PAGE_SUFFIXES = (".html", ".htm")
COMPARISON_PAGE_NAME = "index.html"
"""The page that compares the games, in a folder with a page for each."""


@command("evenodds study margin -o margin.html")
@click.argument("game", type=options.GAME, required=False)
@options.rule
@option("--all", "Study all games, and compare them.", "every")
@option("--json", "Print the study as JSON.", "as_data")
@options.page
def study(
    game: AnyGame | None, rules: tuple[str, ...], every: bool, as_data: bool, page: str | None
) -> None:
    """Everything is computed from the exact solution.

    With --all -o FOLDER, writes a page for each game and a comparison of all.
    """
    if every == (game is not None):
        raise click.UsageError("Name a GAME, or say --all.")
    if as_data and page:
        raise click.UsageError("--json and -o exclude each other.")
    if every and (rules or not page):
        raise click.UsageError("--all goes with -o FOLDER, and without --rule.")
    is_page = page is not None and page.endswith(PAGE_SUFFIXES)
    if every and is_page:
        raise click.UsageError(f"-o {page} is not allowed with --all; allowed: a folder")
    if page and not every and not is_page and is_regular_file(Path(page)):
        raise click.UsageError(f"-o {page} is not allowed; allowed: a name in .html")
    if game is None:
        _write_all_pages(Path(page or ""))
    else:
        _study(game, game.settle(options.read_rulings(game, rules)), as_data, page)


def _study(game: AnyGame, settled: Any, as_data: bool, page: str | None) -> None:
    """One game on a page, as JSON or on the screen, where it is sampled if it is too large."""
    found: StudyReport | SampledStudy
    if page:
        check_writable(page)
    try:
        found = _found(game, settled)
    except TooLarge as error:
        if page:
            raise click.ClickException(f"{error}; without -o some figures are sampled") from None
        found = sampled_study_of(game, settled, str(error))
    if as_data:
        drawn = {name: threshold.value for name, threshold in THRESHOLDS.items()}
        lines = {"thresholds": drawn} if isinstance(found, StudyReport) else {}
        click.echo(json.dumps(to_data(found) | lines))
    elif isinstance(found, SampledStudy):
        show_sample(found, Screen())
    elif page:
        write_output_file(page, _rendered(found), f"The study is in {page}.")
    else:
        show(found, Screen())


def _found(game: AnyGame, settled: Any) -> StudyReport:
    with progress_bar() as progress:
        return study_report_of(game, settled, progress)


def _rendered(found: StudyReport, home: str = "") -> str:
    from evenodds.study.pages.report_page import render_report  # slow, and asked for seldom

    return render_report(*found, home=home)


def _write_all_pages(folder: Path) -> None:
    """A page for each game and one that compares them, without those that cannot be studied."""
    from evenodds.study.pages.report_page import comparison_page

    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    comparison = folder / COMPARISON_PAGE_NAME
    check_writable(comparison)
    studies, left_out = [], []
    for game in list_games():
        try:
            found = _found(game, game.rulings())
        except (BadGame, TooLarge) as error:
            left_out.append(f"{game.name} is left out: {error}")
            continue
        studies.append(found.study)
        page = folder / f"{game.name}.html"
        write_output_file(page, _rendered(found, COMPARISON_PAGE_NAME))
        click.echo(f"{game.title} is in {page}.")
    write_output_file(comparison, comparison_page(studies))
    click.echo(f"A comparison of them is in {comparison}.")
    if left_out:
        raise click.ClickException("; ".join(left_out))
