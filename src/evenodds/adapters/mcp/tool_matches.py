"""Matches of the MCP server, each against a computer opponent, and how tools show them.

In simultaneous rounds the computer picks first; its pick stays in the match as a pending one until
the caller has picked. Callers only get the view of their seat, which never holds a pending pick.
"""

import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any, Final, NotRequired, cast

from anyio import Lock, to_thread
from typing_extensions import TypedDict

from evenodds.coach import review_text
from evenodds.coach.review import Review
from evenodds.core.board import plain_text
from evenodds.core.match import IllegalPick, Match
from evenodds.core.notation import write
from evenodds.core.record import result_as_data, view_as_data
from evenodds.core.rulings import as_data
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import SEAT_NAMES, Seat, other
from evenodds.engine.solution import Solution
from evenodds.figures import join_words
from evenodds.players.registry import check_opponent, external_kind, opponent, opponent_names
from evenodds.players.search_player import limit_of
from evenodds.render.narration import describe_rounds, nonempty_ending_lines
from evenodds.system import EvenOddsError
from evenodds.system.text import shorten

MAX_OPEN_MATCHES: Final = 32
"""Matches that the registry holds at once."""
IDLE_MATCH_TIMEOUT_S: Final = 3600.0
"""Seconds without a call after which a match may be dropped for a new one."""
MAX_SEARCH_PLAYOUTS_AND_SECONDS: Final = (100_000, 20.0)
"""Playouts and seconds that a search may take for a pick, while the caller waits."""


class ToolRefused(EvenOddsError, ValueError):
    """A call that is refused: why, and what is allowed."""


class ResultShape(TypedDict):
    """How a match ended: `first`, `second` or `draw`, and the reason."""

    outcome: str
    reason: str


class MatchShape(TypedDict):
    """What your seat sees of a match. Wherever there are two, the first seat's comes first.

    `legal` are the numbers you may pick now, `told` is what happened since your last pick. In
    `history` a seat that had nothing to decide has null. `chosen` says whether each seat has a
    pick in this round; what it is nobody learns before both are in. `draws` are the numbers drawn
    before the first round and after each, `points` the first seat's less the second's, in games
    that have them; `pick_names` are what the legal numbers stand for where picks have names.
    """

    match: str
    game: str
    rulings: dict[str, int | str]
    your_seat: str
    you_are: str
    players: list[str]
    opponent: str
    round: int
    legal: list[int]
    pick_names: NotRequired[dict[str, str]]
    help: str
    chosen: list[bool]
    state: dict[str, Any]
    history: list[list[int | None]]
    draws: NotRequired[list[list[int]]]
    points: NotRequired[int]
    board: list[str]
    told: list[str]
    result: ResultShape | None


class ReviewShape(TypedDict):
    """What every pick gave away, exactly; in sentences, as data, and the match in notation."""

    match: str
    summary: list[str]
    lessons: list[str]
    picks: list[dict[str, Any]]
    record: str


class ToolMatch:
    """One match: the seat of the caller, and the computer player opposite.

    The computer has no memory of people, since anyone may use the tools.
    """

    def __init__(self, terms: Terms, seat: Seat, solution: Solution | None) -> None:
        self.id: Final = secrets.token_urlsafe(9)
        self.match: Final = Match(terms)
        self.seat: Final = seat
        self.solution = solution
        self.lock: Final = Lock()
        self.last_used = time.monotonic()
        self.opponent: Final = terms.computer(other(seat))
        self._player = opponent(self.opponent, terms, other(seat), Random(), solution=solution)

    def pick(self, number: int, round: int | None) -> None:
        """Take a pick of the seat; `ToolRefused` says why not, and what is allowed."""
        try:
            self.match.pick(self.seat, number, round)
        except IllegalPick as error:
            choices, rulings = self.match.choices(self.seat), self.match.terms.rulings
            names = self.match.game.words.pick_names(rulings, self.seat, choices)
            known = [f"{number} ({names[number]})" if names else f"{number}" for number in choices]
            allowed = f"; allowed: {', '.join(known)}" if choices else ""
            raise ToolRefused(f"{error}{allowed}") from None

    async def reply(self, since: int) -> MatchShape:
        """Let the computer pick in a thread; the view with the narration from a round on."""
        await to_thread.run_sync(self._play_computer)
        return self.shape(since)

    def _play_computer(self) -> None:
        seat = other(self.seat)
        while seat in self.match.waiting():
            self.match.pick(seat, self._player.pick(self.match.view(seat)))

    def shape(self, since: int | None = None) -> MatchShape:
        """The view of a match, with the narration from a round on."""
        match, seat = self.match, self.seat
        view = match.view(seat)
        words, result = match.game.words, view.result
        ending = nonempty_ending_lines(match, result) if result else []
        shape = {
            "match": self.id,
            "game": match.game.name,
            "rulings": as_data(match.terms.rulings),
            "your_seat": str(SEAT_NAMES[seat]),
            "you_are": match.names[seat],
            "players": list(match.terms.players),
            "opponent": self.opponent,
            **view_as_data(view, words),
            "help": words.choices(match.state, seat, view.choices) if view.choices else "",
            "board": [plain_text(line) for line in words.board(match.state, match.names)],
            "told": describe_rounds(match, since) + ending,
            "result": result and result_as_data(result),
        }
        return cast("MatchShape", shape)

    def review_shape(self, found: Review) -> ReviewShape:
        """The review of a finished match."""
        return {
            "match": self.id,
            "summary": [
                review_text.result_line(found.match, found.names),
                review_text.turning_point(found),
                review_text.accuracies(found),
                review_text.explain_figures(found),
            ],
            "lessons": review_text.lessons(found),
            "picks": review_text.as_json(found)["picks"],
            "record": write(self.match),
        }


def check_tool_opponent(name: str) -> str:
    """The name, if it is a built-in opponent that picks within the limits."""
    if external_kind(name):
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


class ToolMatchRegistry:
    """Every match of a server by its ID, which cannot be guessed."""

    def __init__(self, limit: int = MAX_OPEN_MATCHES) -> None:
        self._matches: dict[str, ToolMatch] = {}
        self._limit = limit

    @asynccontextmanager
    async def locked(self, id: str) -> AsyncIterator[ToolMatch]:
        """The match with that ID, for one call at a time, or `ToolRefused`."""
        tool_match = self._matches.get(id)
        if tool_match is None:
            raise ToolRefused(f'there is no match "{shorten(id)}"; open one with open_match')
        tool_match.last_used = time.monotonic()
        async with tool_match.lock:
            yield tool_match

    def make_room(self) -> None:
        """Drop finished and idle matches, the longest idle first, until another one fits."""
        idle_since = time.monotonic() - IDLE_MATCH_TIMEOUT_S
        for held in sorted(self._matches.values(), key=lambda held: held.last_used):
            if len(self._matches) < self._limit:
                break
            if held.match.result or held.last_used < idle_since:
                del self._matches[held.id]
        if len(self._matches) >= self._limit:
            raise ToolRefused(
                f"{self._limit} matches are open; end one of them with pick or resign first"
            )

    def add(self, tool_match: ToolMatch) -> None:
        """Register a match."""
        self.make_room()
        self._matches[tool_match.id] = tool_match
