"""Parsing of a typed line: a number, a command, or neither."""

from collections.abc import Container
from typing import Final

from evenodds.system.text import parse_whole

COMMAND_MEANINGS: Final = {
    "?": "what the choices are",
    "rules": "the rules of this game",
    "board": "the board once more",
    "history": "the rounds so far",
    "hint": "what to pick here, and why",
    "undo": "take back a pick",
    "resign": "give up this match",
    "quit": "leave; the match is kept",
}
COMMAND_ALIASES: Final = {"help": "?", "q": "quit", "exit": "quit"}


def parse_command(line: str, known: Container[str] = COMMAND_MEANINGS) -> str:
    """The command typed, or nothing."""
    word = line.strip().lower()
    word = COMMAND_ALIASES.get(word, word)
    return word if word in known else ""


def parse_number(line: str) -> int | None:
    """The number typed in plain digits, or None: 3.5, 1e1, -3 and words are no picks."""
    return parse_whole(line.strip())
