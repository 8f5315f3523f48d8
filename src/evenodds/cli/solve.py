"""The command `solve`: what the exact solution of a game says."""

import click

from evenodds.cli import options
from evenodds.cli.command_table import command
from evenodds.cli.options import option, print_result
from evenodds.coach.position_report import as_json, report_position
from evenodds.core.catalog import AnyGame
from evenodds.core.notation import BadNotation
from evenodds.system.environment import DEVICES, Device
from evenodds.terminal.progress_bar import progress_bar
from evenodds.terminal.reports.review import show_position


@command('evenodds solve margin --after "5-1"')
@options.game
@options.rule
@option("--after PICKS", 'Go to the position after picks such as "7-8 10-6".')
@option("--json", "Print the result as JSON.", "as_data")
@option("--fresh", "Solve again, even if a solution is stored.")
@option(
    "--device",
    "Where to solve. `auto` uses an NVIDIA GPU for large games, if there is one.",
    type=click.Choice(DEVICES),
)
def solve(
    game: AnyGame,
    rules: tuple[str, ...],
    after: str | None,
    as_data: bool,
    fresh: bool,
    device: Device | None,
) -> None:
    """Shows who is ahead with best play, and how often to pick each number."""
    rulings = options.read_rulings(game, rules)
    try:
        with progress_bar() as progress:
            found = report_position(game, rulings, after or "", fresh, progress, device)
    except BadNotation as error:
        raise click.UsageError(f"--after, {error}") from None
    for note in found.notes:
        click.echo(note, err=True)
    print_result(as_data, found, as_json, show_position)
