"""Registry of the MCP server's matches, each against a computer opponent.

In simultaneous rounds the computer picks first; its pick stays in the match as a pending one until
the caller has picked. Callers only get the view of their seat, which never holds a pending pick.
"""

import secrets
import time
from random import Random
from typing import TYPE_CHECKING, Final

from anyio import Lock

from evenodds.core.match import IllegalPick, Match
from evenodds.core.record import View
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import Seat, other
from evenodds.figures import join_words
from evenodds.players.player import Player
from evenodds.players.reader.memory import NoMemory
from evenodds.players.registry import (
    check_opponent,
    is_exact,
    is_external,
    opponent,
    opponent_names,
)
from evenodds.players.search.player import limit_of
from evenodds.system.text import shorten

if TYPE_CHECKING:
    from evenodds.solver import Solution

MAX_OPEN_MATCHES: Final = 32
"""Matches that the registry holds at once."""
IDLE_MATCH_TIMEOUT_S: Final = 3600.0
"""Seconds without a call after which a match may be dropped for a new one."""
MAX_SEARCH_PLAYOUTS_AND_SECONDS: Final = (100_000, 20.0)
"""Playouts and seconds that a search may take for a pick, while the caller waits."""


class ToolRefused(ValueError):
    """A call that is refused: why, and what is allowed."""


class ToolMatch:
    """One match: the seat of the caller, and the computer player opposite."""

    def __init__(self, terms: Terms, seat: Seat, solution: "Solution | None") -> None:
        self.id: Final = secrets.token_urlsafe(9)
        self.match: Final = Match(terms)
        self.seat: Final = seat
        self.solution = solution
        self.lock: Final = Lock()
        self.last_used = time.monotonic()
        self._player = _computer_player(terms, other(seat), solution)

    @property
    def view(self) -> View:
        """What the seat may see."""
        return self.match.view(self.seat)

    def pick(self, number: int, round: int | None) -> None:
        """Take a pick of the seat; `ToolRefused` says why not, and what is allowed."""
        try:
            self.match.pick(self.seat, number, round)
        except IllegalPick as error:
            choices = self.match.choices(self.seat)
            allowed = f"; allowed: {', '.join(map(str, choices))}" if choices else ""
            raise ToolRefused(f"{error}{allowed}") from None

    def resign(self) -> None:
        """Give the match up."""
        try:
            self.match.resign(self.seat)
        except IllegalPick as error:
            raise ToolRefused(str(error)) from None

    def play_computer(self) -> None:
        """Make all picks that the computer has to make; that may take a while."""
        seat = other(self.seat)
        while seat in self.match.waiting():
            self.match.pick(seat, self._player.pick(self.match.view(seat)))


def _computer_player(terms: Terms, seat: Seat, solution: "Solution | None") -> Player:
    """A computer player without memory of people, since anyone may use the tools."""
    name = terms.computer(seat)
    return opponent(name, terms, seat, Random(), solution=solution, memory=NoMemory())


def check_tool_opponent(name: str) -> str:
    """The name, if it is a built-in opponent that picks within the limits."""
    if is_external(name):
        there = join_words(opponent_names(), "and")
        raise ToolRefused(
            f"{name.partition(':')[0]}: opponents are not allowed here; there are {there}"
        )
    check_opponent(name)
    if name.startswith("search:"):
        limit = limit_of(name.removeprefix("search:"))
        playouts, seconds = MAX_SEARCH_PLAYOUTS_AND_SECONDS
        if limit.playouts > playouts and limit.seconds > seconds:
            allowed = f"up to search:{playouts} playouts, or search:{seconds:g}s"
            raise ToolRefused(f"{shorten(name)} takes too long; allowed: {allowed}")
    return name


def needs_solution(terms: Terms, seat: Seat) -> bool:
    """Whether the computer opposite a seat must know the exact values."""
    return is_exact(terms.computer(other(seat)))


class ToolMatchRegistry:
    """Every match of a server by its ID, which cannot be guessed."""

    def __init__(self, limit: int = MAX_OPEN_MATCHES) -> None:
        self._matches: dict[str, ToolMatch] = {}
        self._limit = limit

    def find(self, id: str) -> ToolMatch:
        """The match with that ID, or `ToolRefused`."""
        tool_match = self._matches.get(id)
        if tool_match is None:
            raise ToolRefused(f'there is no match "{shorten(id)}"; open one with open_match')
        tool_match.last_used = time.monotonic()
        return tool_match

    def make_room(self) -> None:
        """Drop finished and idle matches, the longest idle first, until another one fits."""
        now = time.monotonic()
        removable = [
            tool_match
            for tool_match in self._matches.values()
            if tool_match.match.result or _is_idle(tool_match, now)
        ]
        for tool_match in sorted(removable, key=lambda tool_match: tool_match.last_used)[
            : len(self._matches) + 1 - self._limit
        ]:
            del self._matches[tool_match.id]
        if len(self._matches) >= self._limit:
            raise ToolRefused(
                f"{self._limit} matches are open; end one of them with pick or resign first"
            )

    def add(self, tool_match: ToolMatch) -> None:
        """Register a match."""
        self.make_room()
        self._matches[tool_match.id] = tool_match


def _is_idle(tool_match: ToolMatch, now: float) -> bool:
    return now - tool_match.last_used > IDLE_MATCH_TIMEOUT_S
