"""The command `solve`."""

import json

import click

from evenodds.cli.command_table import command
from evenodds.cli.options import GAME, json_option, read_rulings, rule_option
from evenodds.coach.position_report import as_json, report_position
from evenodds.core.catalog import AnyGame
from evenodds.core.notation import BadNotation
from evenodds.system.environment import DEVICES, Device
from evenodds.terminal.progress_bar import progress_bar
from evenodds.terminal.reports.solve import show
from evenodds.terminal.screen import Screen


@command
@click.argument("game", type=GAME)
@rule_option
@click.option(
    "--after",
    default="",
    metavar="PICKS",
    help='Go to the position after picks such as "7-8 10-6".',
)
@json_option("the result as JSON")
@click.option("--fresh", is_flag=True, help="Solve again, even if a solution is stored.")
@click.option(
    "--device",
    type=click.Choice(DEVICES),
    help="Where to solve. `auto` uses an NVIDIA GPU for large games, if there is one.",
)
def solve(
    game: AnyGame,
    rules: tuple[str, ...],
    after: str,
    as_data: bool,
    fresh: bool,
    device: Device | None,
) -> None:
    """Shows who is ahead with best play, and how often to pick each number."""
    rulings = read_rulings(game, rules)
    try:
        with progress_bar() as progress:
            found = report_position(game, rulings, after, fresh, progress, device)
    except BadNotation as error:
        raise click.UsageError(f"--after, {error}") from None
    for note in found.notes:
        click.echo(note, err=True)
    if as_data:
        click.echo(json.dumps(as_json(found)))
    else:
        show(found, Screen())
