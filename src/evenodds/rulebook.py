"""A game's page: its rules in plain words, then its rulings as the game itself declares them."""

from typing import Any, Final

from evenodds.catalog import AnyGame
from evenodds.rulings import OneOf, Option, options, spoken

TYPED: Final = "with `--rule key=value`"
"""How players at a keyboard change a ruling."""


def page(game: AnyGame, rulings: tuple[Any, ...] | None = None, how: str = TYPED) -> str:
    """The page of a game as Markdown, with the rulings of a match or else the usual ones.

    `how` says how those who read it change a ruling.
    """
    rules = f"# {game.title}\n\n{game.summary}\n"
    if game.page:
        with open(game.page, encoding="utf-8") as file:
            rules = file.read()
    return f"{rules.rstrip()}\n\n{_rulings(game, rulings, how)}"


def _rulings(game: AnyGame, rulings: tuple[Any, ...] | None, how: str) -> str:
    values = spoken(rulings or game.rulings())
    lines = [_ruling(key, option, values[key]) for key, option in options(game.rulings).items()]
    if not lines:
        return "## Rulings\n\nThis game has none to change.\n"
    which = "the one of this match" if rulings else "the usual one"
    intro = f"Players may change these {how}; the value in brackets is {which}."
    return f"## Rulings\n\n{intro}\n\n" + "".join(lines)


def _ruling(key: str, option: Option, value: str) -> str:
    if isinstance(option, OneOf):
        meanings = "".join(f"  - `{word}`: {what}\n" for word, what in option.meanings.items())
        return f"- `{key}` [{value}]: {option.about}\n{meanings}"
    return f"- `{key}` [{value}], {option.low} to {option.high}: {option.about}\n"
