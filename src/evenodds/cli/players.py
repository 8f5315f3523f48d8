"""The command `players`."""

import json

import click

from evenodds.cli.command_table import command
from evenodds.cli.options import GameName, read_rulings, repetition_option, rule_option
from evenodds.core import catalog
from evenodds.core.terms import DEFAULT_REPETITION
from evenodds.players.level_strength import as_json, strengths
from evenodds.terminal.progress_bar import progress_bar
from evenodds.terminal.reports.players import show, show_names
from evenodds.terminal.screen import Screen


@command
@click.argument("game", type=GameName(), required=False)
@rule_option
@repetition_option
@click.option("--json", "as_data", is_flag=True, help="Print the table as JSON.")
def players(
    game: catalog.AnyGame | None, rules: tuple[str, ...], repetition: int | None, as_data: bool
) -> None:
    """With GAME, shows how strong each level is in that game."""
    if game is None:
        if rules or as_data or repetition is not None:
            raise click.UsageError("--rule, --repetition and --json go with a GAME.")
        show_names(Screen())
        return
    settled = game.settle(read_rulings(game, rules))
    with progress_bar() as progress:
        times = DEFAULT_REPETITION if repetition is None else repetition
        found = strengths(game, settled, progress, times)
    if as_data:
        click.echo(json.dumps(as_json(game, settled, found)))
    else:
        show(game, found, Screen(), repetition)
