"""The rule book of a game as Markdown, followed by its rulings."""

from typing import Any, Final

from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import OneOf, Option, format_rulings, options, ruling_texts
from evenodds.system.text import wrapped

CHANGE_AT_PROMPT: Final = "with `--rule key=value`"
"""How a ruling is changed at the prompt."""
PAGE_WIDTH_COLUMNS: Final = 92
"""Width of a page in a terminal."""
CHANGE_BEFORE_MATCH: Final = "before a match"
"""When a ruling may be changed: within a match it is too late."""


def rulebook_page(
    game: AnyGame, rulings: tuple[Any, ...] | None = None, how: str = CHANGE_AT_PROMPT
) -> str:
    """The rule book as Markdown, with the rulings of a match or else the default ones.

    `how` says how a reader changes a ruling.
    """
    rules = f"# {game.title}\n\n{game.summary}\n"
    if game.page:
        with open(game.page, encoding="utf-8") as file:
            rules = file.read()
    title, _, rest = rules.rstrip().partition("\n")
    changed = _changed_rulings_note(game, rulings)
    return f"{title}\n\n{changed}{rest.lstrip()}\n\n{_rulings(game, rulings, how)}"


def match_rules(game: AnyGame, rulings: tuple[Any, ...]) -> str:
    """The rules of a match under its rulings; the whole rule book where there is no such text."""
    return _match_rules_text(game, rulings) or rulebook_page(game, rulings, CHANGE_BEFORE_MATCH)


def _match_rules_text(game: AnyGame, rulings: tuple[Any, ...]) -> str:
    lines = [
        part
        for line in game.words.rules(rulings)
        for part in wrapped(f"- {line}", PAGE_WIDTH_COLUMNS)
    ]
    return "".join(f"{line}\n" for line in lines)


def _changed_rulings_note(game: AnyGame, rulings: tuple[Any, ...] | None) -> str:
    """The rules under changed rulings; empty where none is changed."""
    if not rulings or not (changed := ruling_texts(rulings, changed_only=True)):
        return ""
    rules_text = _match_rules_text(game, rulings)
    before = "Where these rules differ from the rule book below, these count."
    return f"## With {format_rulings(changed)}\n\n{before}\n\n{rules_text}{rules_text and chr(10)}"


def _rulings(game: AnyGame, rulings: tuple[Any, ...] | None, how: str) -> str:
    values = ruling_texts(rulings or game.rulings())
    lines = [_ruling(key, option, values[key]) for key, option in options(game.rulings).items()]
    if not lines:
        return "## Rulings\n\nThis game has none to change.\n"
    which = "the one of this match" if rulings else "the usual one"
    intro = f"Players may change these {how}; the value in brackets is {which}."
    return f"## Rulings\n\n{intro}\n\n" + "".join(lines)


def _ruling(key: str, option: Option, value: str) -> str:
    if isinstance(option, OneOf):
        meanings = "".join(f"  - `{word}`: {what}\n" for word, what in option.words.items())
        return f"- `{key}` [{value}]: {option.about}\n{meanings}"
    return f"- `{key}` [{value}], {option.low} to {option.high}: {option.about}\n"
