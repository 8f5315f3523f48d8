"""Registry of the MCP server's matches, each against a computer opponent.

Where both pick at once the computer picks first, and its pick lies hidden in the match until the
other's is in. What a table tells is a seat's view, which holds no such pick.
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
from evenodds.system.text import brief, listed

if TYPE_CHECKING:
    from evenodds.solver import Solution

MAX_OPEN_MATCHES: Final = 32
"""Matches that are held at once."""
IDLE_MATCH_TIMEOUT_S: Final = 3600.0
"""Seconds after which a match that nobody asks for makes room for another."""
MAX_SEARCH_PLAYOUTS_AND_SECONDS: Final = (100_000, 20.0)
"""Playouts and seconds that a search may take for a pick, while somebody waits for the answer."""


class ToolRefused(ValueError):
    """What cannot be done, and what can."""


class ToolMatch:
    """One match, the seat of whoever uses the tools, and the computer opposite."""

    def __init__(self, terms: Terms, seat: Seat, solution: "Solution | None") -> None:
        self.id: Final = secrets.token_urlsafe(9)
        self.match: Final = Match(terms)
        self.seat: Final = seat
        self.solution = solution
        self.lock: Final = Lock()
        self.asked = time.monotonic()
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

    def let(self) -> None:
        """Let the computer pick as long as it has something to pick; that may take a while."""
        seat = other(self.seat)
        while seat in self.match.waiting():
            self.match.pick(seat, self._player.pick(self.match.view(seat)))


def _computer_player(terms: Terms, seat: Seat, solution: "Solution | None") -> Player:
    """A computer that remembers nobody: anyone may use the tools."""
    name = terms.computer(seat)
    return opponent(name, terms, seat, Random(), solution=solution, memory=NoMemory())


def check_tool_opponent(name: str) -> str:
    """The name, if it is a built-in opponent who does not keep people waiting too long."""
    if is_external(name):
        there = listed(opponent_names(), "and")
        raise ToolRefused(
            f"{name.partition(':')[0]}: opponents are not let in here; there are {there}"
        )
    check_opponent(name)
    if name.startswith("search:"):
        limit = limit_of(name.removeprefix("search:"))
        playouts, seconds = MAX_SEARCH_PLAYOUTS_AND_SECONDS
        if limit.playouts > playouts and limit.seconds > seconds:
            allowed = f"up to search:{playouts} playouts, or search:{seconds:g}s"
            raise ToolRefused(f"{brief(name)} keeps you waiting too long; allowed: {allowed}")
    return name


def needs_solution(terms: Terms, seat: Seat) -> bool:
    """Whether the computer opposite a seat must know the exact values."""
    return is_exact(terms.computer(other(seat)))


class ToolMatchRegistry:
    """Every match of a server, by its name, which nobody can guess."""

    def __init__(self) -> None:
        self._tables: dict[str, ToolMatch] = {}

    def find(self, id: str) -> ToolMatch:
        """The match of that name."""
        table = self._tables.get(id)
        if table is None:
            raise ToolRefused(f'there is no match "{brief(id)}"; open one with open_match')
        table.asked = time.monotonic()
        return table

    def check_room(self) -> None:
        """Make room for another match: those that are over go, and those that were left."""
        now = time.monotonic()
        spare = [
            table for table in self._tables.values() if table.match.result or _is_idle(table, now)
        ]
        for table in sorted(spare, key=lambda table: table.asked)[
            : len(self._tables) + 1 - MAX_OPEN_MATCHES
        ]:
            del self._tables[table.id]
        if len(self._tables) >= MAX_OPEN_MATCHES:
            raise ToolRefused(
                f"{MAX_OPEN_MATCHES} matches are open; end one of them with pick or resign first"
            )

    def add(self, table: ToolMatch) -> None:
        """Hold a match."""
        self.check_room()
        self._tables[table.id] = table


def _is_idle(table: ToolMatch, now: float) -> bool:
    return now - table.asked > IDLE_MATCH_TIMEOUT_S
