"""The commands `games` and `rules`."""

import click

from evenodds.cli import options
from evenodds.cli.command_table import command
from evenodds.core import catalog
from evenodds.render.rulebook import rulebook_page
from evenodds.terminal.reports.lists import show_games
from evenodds.terminal.screen import Screen


@command("evenodds games")
def games() -> None:
    """Shows the name of each game, its title, and the idea in one line."""
    listing = catalog.list_games()
    show_games({game.name: game for game in listing}, Screen())
    for fault in listing.faults:
        click.echo(fault, err=True)


@command("evenodds rules factors")
@options.game
@options.rule
def rules(game: catalog.AnyGame, rules: tuple[str, ...]) -> None:
    """With the rulings that you can change (--rule) and corrections of the book."""
    settled = game.settle(options.read_rulings(game, rules)) if rules else None
    Screen().page(rulebook_page(game, settled))
