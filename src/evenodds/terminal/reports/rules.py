"""The rules page of a game as terminal text."""

from typing import Any

from evenodds.core.catalog import AnyGame
from evenodds.render.rulebook import rulebook_page
from evenodds.terminal.screen import Output


def show_rules(game: AnyGame, screen: Output, rulings: tuple[Any, ...] | None = None) -> None:
    """Show the page of a game, under some rulings."""
    screen.show_page(rulebook_page(game, rulings, screen.how_to_change_rulings))
