"""The pages that `study` writes: of one game, or of all with a comparison."""

from pathlib import Path

import click

from evenodds.cli.errors import NegativeAnswer
from evenodds.cli.files import check_writable, unwritable_error, write_output_file
from evenodds.core import catalog
from evenodds.core.rule_checks import BadGame
from evenodds.core.vocabulary import Settled
from evenodds.graph import TooLarge
from evenodds.study.pages.comparison import comparison_page, sibling_page_address
from evenodds.study.pages.report_page import render_report
from evenodds.study.report import StudyReport, study_report_of
from evenodds.terminal.progress_bar import progress_bar

COMPARISON_PAGE_NAME = "index.html"
"""The page that compares the games, in a folder with a page for each."""


def write_page(game: catalog.AnyGame, settled: Settled, target: str) -> None:
    """The page of one game; `NegativeAnswer` where it is too large."""
    check_writable(target)
    try:
        found = _found(game, settled)
    except TooLarge as error:
        raise NegativeAnswer(f"{error}; without -o some figures are sampled") from None
    write_output_file(target, render_report(*found), f"The study is in {target}.")


def write_all_pages(folder: Path) -> None:
    """A page for each game and one that compares them, without those that cannot be studied."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable_error(folder, error) from None
    check_writable(str(folder / COMPARISON_PAGE_NAME))
    studies, left_out = [], []
    for game in catalog.list_games():
        try:
            study_report = _found(game, game.rulings())
        except (BadGame, TooLarge) as error:
            left_out.append(f"{game.name} is left out: {error}")
            continue
        studies.append(study_report.study)
        write_output_file(
            folder / sibling_page_address(game.name),
            render_report(*study_report, home=COMPARISON_PAGE_NAME),
        )
        click.echo(f"{game.title} is in {folder / sibling_page_address(game.name)}.")
    write_output_file(folder / COMPARISON_PAGE_NAME, comparison_page(studies))
    click.echo(f"A comparison of them is in {folder / COMPARISON_PAGE_NAME}.")
    if left_out:
        raise NegativeAnswer("; ".join(left_out))


def _found(game: catalog.AnyGame, settled: Settled) -> StudyReport:
    with progress_bar() as progress:
        return study_report_of(game, settled, progress)
