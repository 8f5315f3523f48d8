"""The rule book of a game as Markdown, followed by its rulings, and parsed for the pages."""

import re
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, Final

from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import OneOf, Option, format_rulings, options, ruling_texts
from evenodds.system.text import wrapped

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

Section = dict[str, Any]
Span = list[str]
"""A text and its style: `code` or empty."""

CHANGE_AT_PROMPT: Final = "with `--rule key=value`"
PROMISES: Final = "Good to know"
PAGE_WIDTH_COLUMNS: Final = 92
"""Width of a page in a terminal."""
CHANGE_BEFORE_MATCH: Final = "before a match"
"""When a ruling may be changed: within a match it is too late."""


def rulebook_page(
    game: AnyGame, rulings: tuple[Any, ...] | None = None, how: str = CHANGE_AT_PROMPT
) -> str:
    """The rule book as Markdown, with the rulings of a match or else the default ones.

    `how` says how a reader changes a ruling. Without a page the docstring of the rules is told.
    """
    title, _, rest = _book(game).rstrip().partition("\n")
    changed = _changed_rulings_note(game, rulings)
    return f"{title}\n\n{changed}{rest.lstrip()}\n\n{_rulings(game, rulings, how)}"


def _book(game: AnyGame) -> str:
    if game.page:
        with open(game.page, encoding="utf-8") as file:
            return file.read()
    about = getattr(game.start, "__globals__", {}).get("__doc__") or game.summary
    return f"# {game.title}\n\n{cleandoc(about)}\n"


def promises(game: AnyGame) -> list[str]:
    """What the book says that follows from its rules: the sentences of the section `PROMISES`."""
    sections = re.findall(rf"^## {PROMISES}\n(.*?)(?=^#|\Z)", _book(game), re.M | re.S)
    parts = [part for section in sections for part in re.split(r"\n\s*\n|^- ", section, flags=re.M)]
    texts = (" ".join(part.split()) for part in parts)
    return [said for text in texts for said in re.split(r"(?<=[.!?]) (?=[A-Z0-9])", text) if said]


def is_quoted(game: AnyGame, said: str) -> bool:
    """Whether a sentence stands in the book, however its lines are broken."""
    return said in " ".join(_book(game).split())


def match_rules(game: AnyGame, rulings: tuple[Any, ...]) -> str:
    """The rules of a match under its rulings; the whole rule book where there is no such text."""
    return _match_rules_text(game, rulings) or rulebook_page(game, rulings, CHANGE_BEFORE_MATCH)


def _match_rules_text(game: AnyGame, rulings: tuple[Any, ...]) -> str:
    shown = (wrapped(f"- {line}", PAGE_WIDTH_COLUMNS) for line in game.words.rules(rulings))
    return "".join(f"{line}\n" for lines in shown for line in lines)


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


def outline(markdown: str) -> list[Section]:
    """The sections of a page in Markdown, each with its title, its level and its blocks.

    That is what pages of games use: headings, paragraphs, lists, code; emphasis becomes plain text.
    """
    from markdown_it import MarkdownIt  # slow to import, and many servers show no page
    from markdown_it.tree import SyntaxTreeNode

    sections: list[Section] = []
    for node in SyntaxTreeNode(MarkdownIt().parse(markdown)).children:
        if node.type == "heading":
            title = "".join(text for text, _ in _spans(node))
            sections.append({"title": title, "level": int(node.tag[1:]), "blocks": []})
        elif sections:
            sections[-1]["blocks"].append(_block(node))
    return sections


def _block(node: "SyntaxTreeNode") -> dict[str, Any]:
    if node.type in ("bullet_list", "ordered_list"):
        return {"list": [[_block(part) for part in item.children] for item in node.children]}
    if node.type in ("fence", "code_block"):
        return {"code": node.content}
    return {"text": _spans(node)}


def _spans(node: "SyntaxTreeNode") -> list[Span]:
    if node.type == "code_inline":
        return [[node.content, "code"]]
    if node.type in ("softbreak", "hardbreak"):
        return [[" ", ""]]
    if node.type == "text":
        return [[node.content, ""]]
    return [span for child in node.children for span in _spans(child)]
