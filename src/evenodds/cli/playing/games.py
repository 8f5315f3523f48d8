"""The commands `games` and `rules`."""

import click

from evenodds.cli.shared.options import GameName
from evenodds.core import catalog
from evenodds.terminal.reports.lists import show_games
from evenodds.terminal.reports.rules import show_rules
from evenodds.terminal.screen import Screen


@click.command()
def games() -> None:
    """List the games."""
    listing = catalog.list_games()
    show_games({game.name: game for game in listing}, Screen())
    for fault in listing.faults:
        click.echo(fault, err=True)


@click.command()
@click.argument("game", type=GameName())
def rules(game: catalog.AnyGame) -> None:
    """The rules of GAME, with its rulings and errata."""
    show_rules(game, Screen())
