"""A game's page: its rules in plain words, then its rulings as the game itself declares them."""

from typing import Any

from evenodds.catalog import AnyGame
from evenodds.rulings import OneOf, Option, options, spoken
from evenodds.terminal.screen import Screen


def page(game: AnyGame, rulings: tuple[Any, ...] | None = None) -> str:
    """The page of a game as Markdown, with the rulings of a match or else the usual ones."""
    rules = f"# {game.title}\n\n{game.summary}\n"
    if game.page:
        with open(game.page, encoding="utf-8") as file:
            rules = file.read()
    return f"{rules.rstrip()}\n\n{_rulings(game, rulings)}"


def show_rules(game: AnyGame, screen: Screen, rulings: tuple[Any, ...] | None = None) -> None:
    """The page on the screen: set on a terminal, as it is in a pipe."""
    if not screen.styled:
        screen.say(*page(game, rulings).rstrip().split("\n"))
        return
    from rich.markdown import Markdown

    screen.console.print(Markdown(page(game, rulings)), width=min(80, screen.console.width))


def _rulings(game: AnyGame, rulings: tuple[Any, ...] | None) -> str:
    values = spoken(rulings or game.rulings())
    lines = [_ruling(key, option, values[key]) for key, option in options(game.rulings).items()]
    if not lines:
        return "## Rulings\n\nThis game has none to change.\n"
    which = "the one of this match" if rulings else "the usual one"
    intro = f"Players may change these with `--rule key=value`; the value in brackets is {which}."
    return f"## Rulings\n\n{intro}\n\n" + "".join(lines)


def _ruling(key: str, option: Option, value: str) -> str:
    if isinstance(option, OneOf):
        meanings = "".join(f"  - `{word}`: {what}\n" for word, what in option.meanings.items())
        return f"- `{key}` [{value}]: {option.about}\n{meanings}"
    return f"- `{key}` [{value}], {option.low} to {option.high}: {option.about}\n"
