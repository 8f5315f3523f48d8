"""A game's page: its rules in plain words, then its rulings as the game itself declares them."""

from evenodds.catalog import AnyGame
from evenodds.rulings import OneOf, Option, options, spoken
from evenodds.terminal.screen import Screen


def page(game: AnyGame) -> str:
    """The page of a game as Markdown."""
    rules = f"# {game.title}\n\n{game.summary}\n"
    if game.page:
        with open(game.page, encoding="utf-8") as file:
            rules = file.read()
    return f"{rules.rstrip()}\n\n{_rulings(game)}"


def show_rules(game: AnyGame, screen: Screen) -> None:
    """The page on the screen: set on a terminal, as it is in a pipe."""
    if not screen.styled:
        screen.say(*page(game).rstrip().split("\n"))
        return
    from rich.markdown import Markdown

    screen.console.print(Markdown(page(game)), width=min(80, screen.console.width))


def _rulings(game: AnyGame) -> str:
    defaults = spoken(game.rulings())
    lines = [_ruling(key, option, defaults[key]) for key, option in options(game.rulings).items()]
    if not lines:
        return "## Rulings\n\nThis game has none to change.\n"
    intro = (
        "Players may change these with `--rule key=value`; the value in brackets is the usual one."
    )
    return f"## Rulings\n\n{intro}\n\n" + "".join(lines)


def _ruling(key: str, option: Option, default: str) -> str:
    if isinstance(option, OneOf):
        meanings = "".join(f"  - `{word}`: {what}\n" for word, what in option.meanings.items())
        return f"- `{key}` [{default}]: {option.about}\n{meanings}"
    return f"- `{key}` [{default}], {option.low} to {option.high}: {option.about}\n"
