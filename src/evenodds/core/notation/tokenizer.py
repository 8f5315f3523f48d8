"""Tokenizer of match notation: tags and tokens with line and column."""

import re
from typing import Final, NamedTuple

from evenodds.core.vocabulary import Outcome
from evenodds.system.errors import EvenOddsError
from evenodds.system.text import shorten

RESULTS: Final = {
    Outcome.FIRST_WINS: "first",
    Outcome.SECOND_WINS: "second",
    Outcome.DRAW: "draw",
    Outcome.ONGOING: "*",
}
TAGS: Final = (
    "Game",
    "Rulings",
    "Player1",
    "Player2",
    "Computer1",
    "Computer2",
    "Date",
    "First",
    "Repetition",
    "Reason",
    "TakenBack",
    "Sealed",
)

_TAG = re.compile(r'\[(?P<key>[A-Za-z0-9]+)\s+"(?P<value>(?:[^"\\]|\\["\\])*)"\]')


class BadNotation(EvenOddsError, ValueError):
    """Invalid notation, with line and column."""

    def __init__(self, line: int, column: int, problem: str) -> None:
        super().__init__(f"line {line}, column {column}: {problem}")
        self.line = line
        self.column = column
        self.problem = problem


class Token(NamedTuple):
    """A piece of text with line and column."""

    text: str
    line: int
    column: int

    def bad(self, problem: str) -> BadNotation:
        """The error at this token."""
        return BadNotation(self.line, self.column, problem)


class MatchText(NamedTuple):
    """The tags and tokens of one match in a text, and its start."""

    tags: dict[str, Token]
    tokens: list[Token]
    start: Token

    def tag(self, key: str, default: str = "") -> Token:
        """The value of a tag; where it is missing, the default at the start of the match."""
        return self.tags.get(key, self.start._replace(text=default))


def words_of(line: str, number: int) -> list[Token]:
    """The tokens of one line of text."""
    return [Token(word[0], number, word.start() + 1) for word in re.finditer(r"\S+", line)]


def split_matches(text: str) -> list[MatchText]:
    """The matches of a text: tags, then picks and a result, until the next tag."""
    if not isinstance(text, str):
        raise BadNotation(1, 1, f"a match in notation is text, not {type(text).__name__}")
    found: list[MatchText] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        words = words_of(line, number)
        if not words:
            continue
        start = words[0]._replace(text=line.strip())
        if start.text.startswith("["):
            if not found or found[-1].tokens:
                found.append(MatchText({}, [], start))
            _read_tag(found[-1].tags, start)
        elif found:
            found[-1].tokens.extend(words)
        else:
            raise start.bad('a match begins with its tags, such as [Game "circle"]')
    return found


def escape(value: str) -> str:
    """A value escaped for the quotation marks of a tag."""
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _read_tag(tags: dict[str, Token], line: Token) -> None:
    found = _TAG.fullmatch(line.text)
    if not found:
        raise line.bad(f'a tag is written [Name "value"], not {shorten(line.text)}')
    key = found["key"]
    if key not in TAGS:
        raise line.bad(f"there is no tag {shorten(key)}; there are {', '.join(TAGS)}")
    if key in tags:
        raise line.bad(f"the tag {key} stands here twice")
    tags[key] = line._replace(text=re.sub(r"\\(.)", r"\1", found["value"]))
