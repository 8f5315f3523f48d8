"""The commands `sweep` and `repair`."""

import click

from evenodds.cli import options
from evenodds.cli.command_table import command
from evenodds.cli.errors import EXIT_NEGATIVE
from evenodds.cli.options import check_writable, option, print_result, write_output_file
from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import given_rulings
from evenodds.engine.solve import check_device
from evenodds.figures import counted
from evenodds.study.grid import read_grid
from evenodds.study.measures import select_measures
from evenodds.study.repair import impossibility_proofs, parse_goals
from evenodds.terminal.screen import Screen
from evenodds.workers.task import TaskRunner


@command("evenodds sweep circle numbers=6..12 reach=1..3")
@options.game
@option(
    "--rule KEY=VALUES",
    "Values of a ruling: 6..12, or 3,5,9; * for all where they are words.",
    "rules",
    multiple=True,
)
@option("--measure NAME", "Measure only this; may be repeated.", "measures", multiple=True)
@options.cluster
@option("-o FILE", "Write a table (.csv) or heat maps (.html).", "page")
@option("--json", "Print the result as JSON.", "as_data")
def sweep(
    game: AnyGame,
    rules: tuple[str, ...],
    measures: tuple[str, ...],
    cluster: str | None,
    page: str | None,
    as_data: bool,
) -> None:
    """Results are stored at once: an interrupted sweep continues where it stopped."""
    if as_data and page:
        raise click.UsageError("--json and -o exclude each other.")
    if page:
        if not page.endswith((".csv", ".html")):
            raise click.UsageError(f"-o {page} is not allowed; allowed: a name in .csv or .html")
        check_writable(page)
    grid = read_grid(game, given_rulings(rules))
    chosen = select_measures(measures)
    # These need NumPy, which the help and the checks before do not.
    from evenodds.study import sweep_output
    from evenodds.study.sweep import sweep
    from evenodds.terminal.reports.sweep import show_sweep, sweep_progress_bar

    runner = _task_runner(game, cluster)
    with sweep_progress_bar() as progress:
        found = sweep(grid, chosen, runner, progress)
    if page:
        is_csv = page.endswith(".csv")
        text = sweep_output.as_csv(found) if is_csv else sweep_output.render_sweep_page(found)
        left = f"; {len(found.left_out):,} left out" if found.left_out else ""
        count = len(found.found)
        are = f"{counted(count, 'rulings')} {'is' if count == 1 else 'are'}"
        write_output_file(page, text, f"{are} in {page}{left}.")
    else:
        print_result(as_data, found, sweep_output.as_json, show_sweep)
    if not found.found:
        raise click.ClickException("none of these rulings could be solved")


def _task_runner(game: AnyGame, cluster: str | None) -> TaskRunner:
    """The workers; a wrong EVENODDS_DEVICE is refused once, for every ruling would fail of it."""
    if cluster is None:
        check_device(game)
    return options.task_runner(cluster)


@command("evenodds repair duel --want fair,skill")
@options.game
@option(
    "--want GOALS",
    "What you want: fair, few-draws, no-draws, skill, or several.",
    default="fair,no-draws,skill",
)
@options.cluster
@option("--json", "Print the result as JSON.", "as_data")
def repair(game: AnyGame, want: str, cluster: str | None, as_data: bool) -> None:
    """Skill pays if some level scores at least 60% against the level below.

    Draws are few if at most 10% of perfect play has no winner.
    """
    goals = parse_goals(want)
    # As for a sweep.
    from evenodds.study.repair import as_json, repair
    from evenodds.terminal.reports.sweep import announce_repair, show_repair, sweep_progress_bar

    runner = _task_runner(game, cluster)
    if not as_data:
        announce_repair(game, goals, impossibility_proofs(game, goals), Screen())
    with sweep_progress_bar() as progress:
        found = repair(game, goals, runner, progress)
    print_result(as_data, found, as_json, show_repair)
    if not found.changes:
        raise click.exceptions.Exit(EXIT_NEGATIVE)
