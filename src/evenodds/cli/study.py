"""The command `study`."""

from typing import TYPE_CHECKING, Any

import click

from evenodds.claims.thresholds import Thresholds, read_thresholds
from evenodds.cli.shared.common import (
    GameName,
    NegativeAnswer,
    check_writable,
    main,
    rule_option,
    solver_required,
    threshold_option,
    unwritable_error,
    usage_errors,
    write_output_file,
)
from evenodds.core import catalog

if TYPE_CHECKING:
    from evenodds.study.report import StudyReport

PAGE_SUFFIXES = (".html", ".htm")
COMPARISON_PAGE_NAME = "index.html"
"""The page that compares the games, in a folder with a page for each."""


@main.command()
@click.argument("game", type=GameName(), required=False)
@rule_option
@threshold_option
@click.option("--all", "every", is_flag=True, help="Every game, and a comparison of them.")
@click.option("--json", "as_data", is_flag=True, help="Print the study as JSON.")
@click.option("-o", "target", type=click.Path(), metavar="PAGE.html", help="Write a web page.")
def study(
    game: catalog.AnyGame | None,
    rules: tuple[str, ...],
    thresholds: tuple[str, ...],
    every: bool,
    as_data: bool,
    target: str | None,
) -> None:
    """Is GAME any good? The exact truth about its rule book.

    With --all, -o names the folder that the pages are written to.
    """
    if every == (game is not None):
        raise click.UsageError("Name a GAME, or say --all.")
    if as_data and target:
        raise click.UsageError("--json and -o exclude each other.")
    if every and (rules or not target):
        raise click.UsageError("--all goes with -o FOLDER, and without --rule.")
    if target:
        _check_name(target, every)
    with usage_errors(), solver_required():
        chosen = read_thresholds(thresholds)
        if game is None:
            _write_all(str(target), chosen)
            return
        from evenodds.cli.shared.play_options import PlayOptions

        _study(game, PlayOptions(rules).rulings(game), chosen, as_data, target)


def _check_name(target: str, every: bool) -> None:
    """`UsageError` for an output name of the wrong kind."""
    from pathlib import Path

    from evenodds.system.files import is_regular_file

    page = target.endswith(PAGE_SUFFIXES)
    if every and page:
        raise click.UsageError(f"-o {target} is not allowed with --all; allowed: a folder")
    if not every and not page and is_regular_file(Path(target)):
        raise click.UsageError(f"-o {target} is not allowed; allowed: a name in .html")


def _study(
    game: catalog.AnyGame,
    rules: dict[str, object],
    chosen: Thresholds,
    as_data: bool,
    target: str | None,
) -> None:
    """One game: on the screen, as JSON or as a page; sampled where it is too large."""
    from evenodds.core.validation import BadGame
    from evenodds.graph import TooLarge
    from evenodds.study.sampled import sampled_study_of

    settled = game.settle(rules)
    if target:
        check_writable(target)
    try:
        study_report = _found(game, settled, chosen)
    except BadGame as error:
        raise NegativeAnswer(str(error)) from None
    except TooLarge as error:
        if target:
            raise NegativeAnswer(f"{error}; without -o some figures are sampled") from None
        _output_sample(sampled_study_of(game, settled, str(error)), as_data)
        return
    _output_study(study_report, as_data, target)


def _found(game: catalog.AnyGame, settled: Any, chosen: Thresholds) -> "StudyReport":
    from evenodds.study.report import study_report_of
    from evenodds.terminal.progress_bar import progress_bar

    with progress_bar() as progress:
        return study_report_of(game, settled, progress, thresholds=chosen)


def _output_study(study_report: "StudyReport", as_data: bool, target: str | None) -> None:
    if target:
        from evenodds.study.pages.report_page import render_report

        write_output_file(target, render_report(*study_report), f"The study is in {target}.")
    elif as_data:
        _print(study_report)
    else:
        from evenodds.terminal.reports.study import show
        from evenodds.terminal.screen import Screen

        show(study_report, Screen())


def _output_sample(sample: Any, as_data: bool) -> None:
    if as_data:
        _print(sample)
        return
    from evenodds.terminal.reports.study import show_sample
    from evenodds.terminal.screen import Screen

    show_sample(sample, Screen())


def _print(found: Any) -> None:
    import json

    from evenodds.study.figure_serialization import to_data

    click.echo(json.dumps(to_data(found)))


def _write_all(target: str, chosen: Thresholds) -> None:
    """A page for each game and one that compares them, without those that cannot be studied."""
    from pathlib import Path

    from evenodds.core.validation import BadGame
    from evenodds.graph import TooLarge
    from evenodds.study.pages.comparison import comparison_page, sibling_page_address
    from evenodds.study.pages.report_page import render_report

    folder = Path(target)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable_error(folder, error) from None
    check_writable(str(folder / COMPARISON_PAGE_NAME))
    studies, left_out = [], []
    for game in catalog.list_games():
        try:
            study_report = _found(game, game.rulings(), chosen)
        except (BadGame, TooLarge) as error:
            left_out.append(f"{game.name} is left out: {error}")
            continue
        studies.append(study_report.study)
        write_output_file(
            folder / sibling_page_address(game.name),
            render_report(*study_report, home=COMPARISON_PAGE_NAME),
        )
        click.echo(f"{game.title} is in {folder / sibling_page_address(game.name)}.")
    write_output_file(folder / COMPARISON_PAGE_NAME, comparison_page(studies, thresholds=chosen))
    click.echo(f"A comparison of them is in {folder / COMPARISON_PAGE_NAME}.")
    if left_out:
        raise NegativeAnswer("; ".join(left_out))
