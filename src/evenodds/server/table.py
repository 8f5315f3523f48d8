"""A table: a room with its lock, those who may sit there and those who watch."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable

from evenodds.players import Player
from evenodds.server.entries import Place
from evenodds.server.room import Room
from evenodds.server.tokens import hashed
from evenodds.terms import Terms
from evenodds.vocabulary import SEATS, Seat


class NotYours(PermissionError):
    """A seat, an invitation or an action that belongs to somebody else."""


class Parts:
    """What `views` says to everyone alike, as JSON, until it changes."""

    terms_of: Terms | None = None
    terms = b""
    stage = -1
    position = b""
    seq = -1
    now = b""


class Table:
    """A match as one process holds it."""

    def __init__(self, room: Room, places: list[Place], archived: bool = False) -> None:
        self.room = room
        self.places = places
        self.archived = archived
        self.lock = asyncio.Lock()
        self.watchers: set[Callable[[], None]] = set()
        """Called whenever the room or who is there has changed."""
        self.opponents: dict[Seat, Player] = {}
        self.streams: Counter[Seat] = Counter()
        """How many streams each seat reads here."""
        self.elsewhere: dict[str, set[Seat]] = {}
        """Who reads one at another process, by process."""
        self.used_at = time.monotonic()
        self.parts = Parts()

    def tell(self) -> None:
        """Let everyone who watches see how things stand."""
        for watcher in tuple(self.watchers):
            watcher()

    def seat_of(self, token: str) -> Seat | None:
        """The seat that a token is for."""
        hash = hashed(token)
        found = (place for place in self.places if place.hash == hash and not place.invitation)
        return next((place.seat for place in found), None)

    def free_place(self) -> Place | None:
        """The invitation that nobody has spent."""
        found = (place for place in self.places if place.invitation and not place.spent)
        return next(found, None)

    def connected(self) -> list[bool]:
        """Whether each seat is there; a computer always is."""
        away: set[Seat] = set().union(*self.elsewhere.values()) if self.elsewhere else set()
        return [
            self.room.computers[seat] or self.streams[seat] > 0 or seat in away for seat in SEATS
        ]
