"""A match in the memory of one process: state, lock, credentials, watchers, presence."""

import asyncio
import math
import time
from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from evenodds.core.terms import Terms
from evenodds.core.vocabulary import SEATS, Seat
from evenodds.players.player import Player
from evenodds.server.matches.match_state import MatchState
from evenodds.server.matches.tokens import hashed
from evenodds.server.storage.events import SeatCredential

POLLED_S: Final = 75.0
"""Seconds for which somebody is there who asks now and then: a browser lets a page that is hidden
ask once a minute."""


class NotAuthorized(PermissionError):
    """A seat, an invitation or an action that belongs to somebody else."""


class Delay(StrEnum):
    """Why a computer is late, or not itself."""

    SOLVING = "solving"
    """It waits until the game is solved."""
    SEARCH = "search"
    """The game is still being solved, and it plays by search meanwhile."""
    UNSOLVED = "unsolved"
    """The game could not be solved, and it plays by search."""
    TROUBLE = "trouble"
    """Something went wrong here, and it tries again."""


class Parts:
    """What `views` says to everyone alike, as JSON, until it changes."""

    terms_of: Terms | None = None
    terms = b""
    stage = -1
    position = b""
    seq = -1
    now = b""


class MatchSession:
    """A match as one process holds it."""

    def __init__(
        self,
        room: MatchState,
        places: list[SeatCredential],
        opener: str = "",
        archived: bool = False,
    ) -> None:
        self.room = room
        self.places = places
        self.opener = opener
        """The address that opened the match, whose computer time it takes."""
        self.archived = archived
        self.lock = asyncio.Lock()
        self.watchers: set[Callable[[], None]] = set()
        """Called whenever the room or who is there has changed."""
        self.opponents: dict[Seat, Player] = {}
        """The computers that have been seated."""
        self.delay: Delay | None = None
        self.streams: Counter[Seat] = Counter()
        """How many streams each seat reads here."""
        self.polled: dict[Seat, float] = {}
        """When each seat that reads none has last asked here."""
        self.elsewhere: dict[str, set[Seat]] = {}
        """Who is there at another process, by process."""
        self.away: dict[Seat, float] = {}
        """Since when somebody who is waited for was not seen here."""
        self.touched_at = -math.inf
        """When it was last noted that somebody is at a listed match."""
        self.used_at = time.monotonic()
        self.parts = Parts()

    def is_watched(self, seconds: float) -> bool:
        """Whether somebody reads the match, or has looked at it within so many seconds."""
        return bool(self.watchers) or time.monotonic() - self.used_at < seconds

    def delayed(self, delay: Delay | None) -> None:
        """Let everyone see why a computer is late, or not itself."""
        if self.delay != delay:
            self.delay = delay
            self.tell()

    def tell(self) -> None:
        """Let everyone who watches see how things stand."""
        for watcher in tuple(self.watchers):
            watcher()

    def seat_of(self, token: str) -> Seat | None:
        """The seat that a token is for."""
        hash = hashed(token)
        found = (place for place in self.places if place.hash == hash and not place.invitation)
        return next((place.seat for place in found), None)

    def free_place(self) -> SeatCredential | None:
        """The invitation that nobody has spent."""
        found = (place for place in self.places if place.invitation and not place.spent)
        return next(found, None)

    def here(self) -> set[Seat]:
        """The seats that are there at this process: they read a stream, or ask now and then."""
        return {seat for seat in SEATS if self.streams[seat] > 0 or seat in self.polled}

    def connected(self) -> list[bool]:
        """Whether each seat is there, at any process; a computer always is."""
        present = self.here().union(*self.elsewhere.values())
        return [self.room.computers[seat] or seat in present for seat in SEATS]

    def is_attended(self) -> bool:
        """Whether there is somebody to play with, or somebody who looks on once all have come."""
        if self.room.ready:
            return bool(self.watchers or self.polled)
        return bool(self.here()) or not any(not place.invitation for place in self.places)

    def drop_polled(self) -> bool:
        """Forget those who have not asked for a while; whether somebody is gone by that."""
        before, then = self.here(), time.monotonic() - POLLED_S
        self.polled = {seat: at for seat, at in self.polled.items() if at > then}
        return self.here() != before
