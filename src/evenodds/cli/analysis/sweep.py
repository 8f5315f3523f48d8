"""The commands `sweep` and `repair`: their options; `sweep_runs` does the work."""

import click

from evenodds.cli.shared.command_table import command
from evenodds.cli.shared.files import check_writable
from evenodds.cli.shared.options import GameName, cluster_option, given_rulings
from evenodds.core import catalog
from evenodds.study.grid import read_grid
from evenodds.study.measures import select_measures
from evenodds.study.repair import parse_goals

json_option = click.option("--json", "as_data", is_flag=True, help="Print the result as JSON.")


@command
@click.argument("game", type=GameName())
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="KEY=VALUES",
    help="Values of a ruling: 6..12, or 3,5,9, or * for all.",
)
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="Measure only this; may be repeated.",
)
@cluster_option
@click.option("-o", "page", metavar="FILE", help="Write a table (.csv) or heat maps (.html).")
@json_option
def sweep(
    game: catalog.AnyGame,
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
    # Needs NumPy, which the help and the checks before do not.
    from evenodds.cli.analysis.sweep_runs import run_sweep

    run_sweep(grid, chosen, cluster, page, as_data)


@command
@click.argument("game", type=GameName())
@click.option(
    "--want",
    default="fair,no-draws,skill",
    show_default=True,
    metavar="GOALS",
    help="What you want: fair, no-draws, skill, or several.",
)
@cluster_option
@json_option
def repair(
    game: catalog.AnyGame,
    want: str,
    cluster: str | None,
    as_data: bool,
) -> None:
    """Skill pays if some level scores at least 60% against the level below."""
    goals = parse_goals(want)
    # As for a sweep.
    from evenodds.cli.analysis.sweep_runs import run_repair

    run_repair(game, goals, cluster, as_data)
