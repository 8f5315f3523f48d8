"""The commands `sweep` and `repair`."""

from typing import TYPE_CHECKING

import click

from evenodds.claims.thresholds import read_thresholds
from evenodds.cli.shared.common import (
    EXIT_NEGATIVE,
    GameName,
    NegativeAnswer,
    check_writable,
    main,
    solver_required,
    threshold_option,
    usage_errors,
    write_output_file,
)
from evenodds.cli.shared.workers import cluster_option, task_runner
from evenodds.core import catalog
from evenodds.figures.formatting import counted

if TYPE_CHECKING:
    from evenodds.study.sweeps.sweep import SweepResult

json_option = click.option("--json", "as_data", is_flag=True, help="Print the finding as JSON.")


@main.command()
@click.argument("game", type=GameName())
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="KEY=VALUES",
    help="Values of a ruling: 6..12, or 3,5,9, or * for all words.",
)
@click.option(
    "--measure", "measures", multiple=True, metavar="NAME", help="What to measure; may be repeated."
)
@cluster_option
@click.option("-o", "page", metavar="FILE", help="Write a table (.csv) or maps (.html).")
@json_option
def sweep(
    game: catalog.AnyGame,
    rules: tuple[str, ...],
    measures: tuple[str, ...],
    cluster: str | None,
    page: str | None,
    as_data: bool,
) -> None:
    """Solve and measure GAME under every combination of some rulings.

    What was found is kept: a sweep that was interrupted goes on where it was.
    """
    from evenodds.cli.shared.play_options import PlayOptions

    if as_data and page:
        raise click.UsageError("--json and -o exclude each other.")
    if page:
        if not page.endswith((".csv", ".html")):
            raise click.UsageError(f"-o {page} is not allowed; allowed: a name in .csv or .html")
        check_writable(page)
    with usage_errors(), solver_required():
        from evenodds.study.sweeps.grid import BadGrid, read_grid
        from evenodds.study.sweeps.measures import UnknownMeasure, select_measures
        from evenodds.study.sweeps.sweep import sweep
        from evenodds.terminal.reports.sweep import sweep_progress_bar

        try:
            grid = read_grid(game, PlayOptions(rules).given())
            chosen = select_measures(measures)
        except (BadGrid, UnknownMeasure) as error:
            raise click.UsageError(str(error)) from None
        with task_runner(cluster) as runner, sweep_progress_bar() as progress:
            found = sweep(grid, chosen, runner, progress)
        _output_finding(found, page, as_data)
    if not found.found:
        raise NegativeAnswer("none of these rulings could be solved")


@main.command()
@click.argument("game", type=GameName())
@click.option(
    "--want",
    default="fair,no-draws,skill",
    show_default=True,
    metavar="WISHES",
    help="What is to hold: fair, no-draws, skill, or some of them.",
)
@threshold_option
@cluster_option
@json_option
def repair(
    game: catalog.AnyGame,
    want: str,
    thresholds: tuple[str, ...],
    cluster: str | None,
    as_data: bool,
) -> None:
    """Find rulings of GAME that keep what you want, and what each one costs.

    Skill is felt from a score of 0.6 against the level below; --threshold step=0.55 changes that.
    """
    with usage_errors(), solver_required():
        from evenodds.core.validation import BadGame
        from evenodds.study.sweeps.goals import UnknownGoal, impossibility_proofs, parse_goals
        from evenodds.study.sweeps.repair import as_json, repair
        from evenodds.terminal.reports.repair import announce, show
        from evenodds.terminal.reports.sweep import sweep_progress_bar
        from evenodds.terminal.screen import Screen

        chosen_thresholds = read_thresholds(thresholds)
        try:
            goals = parse_goals(want)
        except UnknownGoal as error:
            raise click.UsageError(str(error)) from None
        try:
            if not as_data:
                proofs = impossibility_proofs(game, goals)
                announce(game, goals, chosen_thresholds, proofs, Screen())
            with task_runner(cluster) as runner, sweep_progress_bar() as progress:
                found = repair(game, goals, runner, progress, chosen_thresholds)
        except BadGame as error:
            raise NegativeAnswer(str(error)) from None
        if as_data:
            import json

            click.echo(json.dumps(as_json(found)))
        else:
            show(found, Screen())
    if not found.changes:
        raise click.exceptions.Exit(EXIT_NEGATIVE)


def _output_finding(found: "SweepResult", page: str | None, as_data: bool) -> None:
    from evenodds.study.sweeps import sweep_output, sweep_page
    from evenodds.terminal.reports.sweep import show
    from evenodds.terminal.screen import Screen

    if page:
        is_csv = page.endswith(".csv")
        text = sweep_output.as_csv(found) if is_csv else sweep_page.render_sweep_page(found)
        left = f"; {len(found.left_out):,} left out" if found.left_out else ""
        count = len(found.found)
        verb = "is" if count == 1 else "are"
        write_output_file(page, text, f"{counted(count, 'rulings')} {verb} in {page}{left}.")
    elif as_data:
        import json

        click.echo(json.dumps(sweep_output.as_json(found)))
    else:
        show(found, Screen())
