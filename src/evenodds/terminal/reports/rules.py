"""The rules page of a game as terminal text."""

import os
import shutil
from typing import Any

from evenodds.core.catalog import AnyGame
from evenodds.render.rulebook import rulebook_page
from evenodds.terminal.screen import Screen


def page_rules(game: AnyGame, screen: Screen) -> None:
    """Show the page through the pager (PAGER, or less) where it is longer than the screen."""
    if not screen.styled:
        show_rules(game, screen)
        return
    with screen.console.capture() as captured:
        show_rules(game, screen)
    text = captured.get()
    if text.count("\n") < shutil.get_terminal_size().lines:
        screen.stream.write(text)
    else:
        import pydoc  # slow to load, and not needed in a match

        os.environ.setdefault("LESS", "-R")
        pydoc.pager(text)


def show_rules(game: AnyGame, screen: Screen, rulings: tuple[Any, ...] | None = None) -> None:
    """Show the page: formatted on a terminal, as Markdown in a pipe."""
    if not screen.styled:
        screen.say(*rulebook_page(game, rulings).rstrip().split("\n"))
        return
    from rich.markdown import Markdown

    screen.console.print(
        Markdown(rulebook_page(game, rulings)), width=min(80, screen.console.width)
    )
