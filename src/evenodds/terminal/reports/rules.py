"""The rules page of a game as terminal text."""

from typing import Any

from evenodds.core.catalog import AnyGame
from evenodds.render.rulebook import rulebook_page
from evenodds.terminal.screen import Screen


def show_rules(game: AnyGame, screen: Screen, rulings: tuple[Any, ...] | None = None) -> None:
    """Show the page: formatted on a terminal, as Markdown in a pipe."""
    if not screen.styled:
        screen.say(*rulebook_page(game, rulings).rstrip().split("\n"))
        return
    from rich.markdown import Markdown

    screen.console.print(
        Markdown(rulebook_page(game, rulings)), width=min(80, screen.console.width)
    )
