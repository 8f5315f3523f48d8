"""Matches of the MCP server, each against a computer opponent, and how tools show them.

In simultaneous rounds the computer picks first; its pick stays in the match as a pending one until
the caller has picked. Callers only get the view of their seat, which never holds a pending pick.
"""

import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, Final, NotRequired, cast

from anyio import Lock, to_thread
from msgspec import Struct
from typing_extensions import TypedDict

from evenodds.coach import review_text
from evenodds.coach.review import Review
from evenodds.core.board import plain_text
from evenodds.core.match import IllegalPick, Match
from evenodds.core.notation import BadNotation, parse, write
from evenodds.core.record import result_as_data, view_as_data
from evenodds.core.rulings import as_data
from evenodds.core.vocabulary import FIRST, SEAT_NAMES, Seat, other
from evenodds.engine.solution import Solution
from evenodds.figures import join_words
from evenodds.players.player import Player
from evenodds.players.registry import check_opponent, external_kind, opponent, opponent_names
from evenodds.players.search_player import limit_of
from evenodds.render.narration import describe_rounds, nonempty_ending_lines
from evenodds.system import EvenOddsError
from evenodds.system.files import make_private_folder
from evenodds.system.json_store import JsonStore
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

    The computer has no memory of people, since anyone may use the tools. Its picks and the draws
    follow from the seed of the match.
    """

    def __init__(
        self, match: Match, seat: Seat, solution: Solution | None = None, id: str = ""
    ) -> None:
        self.id: Final = id or secrets.token_urlsafe(9)
        self.match: Final = match
        self.seat: Final = seat
        self.solution = solution
        self.lock: Final = Lock()
        self.last_used = time.monotonic()
        self.opponent: Final = match.terms.computer(other(seat))
        self._rng = Random()

    @cached_property
    def _player(self) -> Player:
        terms = self.match.terms
        return opponent(self.opponent, terms, other(self.seat), self._rng, solution=self.solution)

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
        await to_thread.run_sync(self.play_computer)
        return self.shape(since)

    def play_computer(self) -> None:
        """Let the computer pick, until the caller is asked."""
        seat = other(self.seat)
        while seat in self.match.waiting():
            self._rng.seed(f"{self.match.seed}/{self.match.round}")
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


class KeptMatch(Struct, frozen=True):
    """A match in the file of a server."""

    record: str = ""
    """In notation; what the computer has picked in secret follows from the seed again."""
    seat: Seat = FIRST
    seed: str = ""


class ToolMatchRegistry:
    """Every match of a server by its ID, which cannot be guessed.

    With a file the matches played last go on after a restart.
    """

    def __init__(self, limit: int = MAX_OPEN_MATCHES, file: Path | None = None) -> None:
        self._matches: dict[str, ToolMatch] = {}
        self._limit = limit
        self._store = JsonStore(file, dict[str, KeptMatch]) if file else None

    @asynccontextmanager
    async def locked(self, id: str) -> AsyncIterator[ToolMatch]:
        """The match with that ID, for one call at a time, or `ToolRefused`; it is kept after it."""
        tool_match = self._matches.get(id) or await to_thread.run_sync(self._kept, id)
        if tool_match is None:
            raise ToolRefused(f'there is no match "{shorten(id)}"; open one with open_match')
        if tool_match is not self._matches.setdefault(id, tool_match):
            tool_match = self._matches[id]  # another call has read it meanwhile
        tool_match.last_used = time.monotonic()
        async with tool_match.lock:
            yield tool_match
            await to_thread.run_sync(self._keep, tool_match)

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
        self._keep(tool_match)

    def _kept(self, id: str) -> ToolMatch | None:
        """The match in the file, where the computer has picked again."""
        kept = self._store.load().value.get(id) if self._store else None
        with suppress(BadNotation):  # of a game that is not there any more
            if kept:
                match = parse(kept.record)
                match.seed = kept.seed
                self.make_room()
                tool_match = ToolMatch(match, kept.seat, id=id)
                tool_match.play_computer()
                return tool_match
        return None

    def _keep(self, tool_match: ToolMatch) -> None:
        """Write the match to the file, if that can be written, in place of the one played first."""
        match = tool_match.match
        now = KeptMatch(write(match), tool_match.seat, match.seed)
        with suppress(OSError):
            if self._store and self._store.load().value.get(tool_match.id) != now:
                make_private_folder(self._store.path.parent)
                with self._store.locked():
                    kept = self._store.load().value
                    kept.pop(tool_match.id, None)
                    latest = [*kept.items(), (tool_match.id, now)]
                    self._store.save(dict(latest[-self._limit :]))
