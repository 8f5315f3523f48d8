"""Opponents for people: a display name, and one line about how each plays."""

import re
import shlex
from functools import lru_cache
from typing import Final, NamedTuple

from evenodds.core.terms import MAX_NAME_COLUMNS, Terms
from evenodds.core.vocabulary import SEATS, Seat
from evenodds.core.words import OPPONENT, UNNAMED, Names
from evenodds.system.text import display_width, shorten

_BEFORE_PROGRAM: Final = re.compile(
    r"-.*|\w+=.*|(.*/)?(env|python|node|sh|bash|ruby|perl|java)[0-9.]*", re.DOTALL
)
"""Options, variables and interpreters: words of a command that do not name the program."""
_FILE: Final = re.compile(r"\.[A-Za-z]\w*$")
"""The end of a file's name, which is the program behind `uv run` and `python -X dev`, too."""


class PlayerProfile(NamedTuple):
    """How an opponent is shown to people."""

    name: str
    line: str
    """How it plays, in one sentence."""


BUILT_IN_PROFILES: Final = {
    "random": PlayerProfile("Random", "Picks any number, each with the same chance."),
    "high": PlayerProfile("High", "Always picks its highest number."),
    "copy": PlayerProfile("Copy", "Picks the number nearest to your last one."),
    "level:1": PlayerProfile("Level 1", "A beginner that misses most chances."),
    "level:2": PlayerProfile("Level 2", "Careless, but it takes an easy win."),
    "level:3": PlayerProfile("Level 3", "Plays some good picks and some poor ones."),
    "level:4": PlayerProfile("Level 4", "Plays well, but slips often enough for you to win."),
    "level:5": PlayerProfile("Level 5", "Plays well, and slips now and then."),
    "level:6": PlayerProfile("Level 6", "Strong. It rarely slips."),
    "level:7": PlayerProfile("Level 7", "Very strong. It almost never slips."),
    "level:8": PlayerProfile("Level 8", "As strong as Perfect."),
    "perfect": PlayerProfile("Perfect", "Never makes a mistake, and makes the most of yours."),
    "reader": PlayerProfile("Reader", "Watches how you pick, and plays against your habits."),
    "search": PlayerProfile("Search", "Looks ahead for a second before each pick."),
}


def profile(name: str) -> PlayerProfile:
    """The profile of a player by its name in the registry; of an unknown one, just the name."""
    if name in BUILT_IN_PROFILES:
        return BUILT_IN_PROFILES[name]
    kind, _, detail = name.partition(":")
    if kind == "search":
        seconds, number = detail.endswith("s"), detail.removesuffix("s")
        limit = f"for {number} seconds" if seconds else f"by {number} trial matches"
        return PlayerProfile("Search", f"Looks ahead {limit} before each pick.")
    if kind == "cmd":
        return PlayerProfile(_shown(_program(detail)), f"A program: {shorten(detail)}.")
    if kind == "llm":
        model, _, address = detail.rpartition("@")
        return PlayerProfile(_shown(model), f"A language model at {shorten(address)}.")
    return PlayerProfile(_shown(name), "")


def profile_under(terms: Terms, name: str) -> PlayerProfile:
    """The profile of a player in a match: skill is promised only where picks matter."""
    from evenodds.claims.fixed_outcome import fixed_outcome  # home shows names alone

    found = profile(name)
    if found.line and fixed_outcome(terms.game, terms.rulings) is not None:
        return found._replace(line="How it picks changes nothing with these rules.")
    return found


def describe_opponents(terms: Terms) -> list[str]:
    """How the computers of a match play, a line each."""
    computers = dict.fromkeys(filter(None, terms.computers))
    return [f"{one.name}: {one.line}" for one in (profile_under(terms, name) for name in computers)]


@lru_cache(4096)  # a server asks for each reader of each round
def names_for(terms: Terms, you: Seat | None = None) -> Names:
    """What the players are called to a person: "You", and computers by their display names.

    A person without a name of their own is "Your opponent" to the other player.
    `you` is the seat of the reader; without one, the only person of the match. In a match of two
    people, or of two computers, nobody is "You".
    """
    if you is None and len(terms.people) == 1:
        (you,) = terms.people
    unnamed = terms.names.by_seat if you is None else (OPPONENT, OPPONENT)
    return _names(terms, you, unnamed)


def names_for_reader(terms: Terms, seat: Seat | None = None) -> Names:
    """The names of both players to one of them, who is "You", or to a spectator."""
    return _names(terms, None, UNNAMED) if seat is None else names_for(terms, seat)


def names_in_record(terms: Terms) -> Names:
    """The names of a match that is read again: a person without a name of their own is "You"."""
    own_name = any(terms.names[seat] not in terms.game.words.players for seat in terms.people)
    return terms.names if own_name else names_for(terms)


def _names(terms: Terms, you: Seat | None, unnamed: tuple[str, str]) -> Names:
    one, two = (_name_for(terms, seat, you, unnamed[seat]) for seat in SEATS)
    if one == two:
        one, two = f"{one} (1)", f"{two} (2)"
    return Names((one, two), terms.names.order, you)


def _name_for(terms: Terms, seat: Seat, you: Seat | None, unnamed: str) -> str:
    if seat == you:
        return "You"
    computer, name = terms.computer(seat), terms.names[seat]
    if computer:
        return name if terms.named else profile(computer).name
    return unnamed if name in terms.game.words.players else name


def _program(command: str) -> str:
    """The file name of the program that a command runs, or of the script of an interpreter."""
    try:
        words = shlex.split(command)
    except ValueError:  # an open quotation mark
        words = command.split()
    words = [word for word in words if not _BEFORE_PROGRAM.fullmatch(word)]
    files = [word for word in words if _FILE.search(word)]
    return next((name for word in files + words if (name := word.rpartition("/")[2])), command)


def _shown(name: str) -> str:
    """A display name: it may stand for the name of a player."""
    name = shorten(name, MAX_NAME_COLUMNS)
    while display_width(name) > MAX_NAME_COLUMNS:
        name = name[:-1]
    return name
