"""A match in the memory of one process: state, lock, seat tokens, watchers, presence."""

import asyncio
import hashlib
import math
import re
import secrets
import time
from collections import Counter
from collections.abc import Callable
from typing import Final, Literal

from evenodds.core.vocabulary import SEATS, Seat, other
from evenodds.players.player import Player
from evenodds.protocol.messages import Flags, Presence
from evenodds.server.matches.match_state import MatchState
from evenodds.server.rate_limits import RateLimited
from evenodds.server.storage.ledger_entries import SeatCredential
from evenodds.system.text import ID_ALPHABET

MATCH_ID_PATTERN: Final = re.compile(r"[A-Za-z0-9_-]{1,16}")
"""What a match id can be, of this version or another."""
Delay = Literal["solving", "search", "unsolved", "trouble"]
"""Why a computer is late, or plays by search, as `Presence.delay` has it."""
REACTION_INTERVAL_S: Final = 2.0
"""Seconds between two signs of a seat."""
POLL_LIFETIME_S: Final = 75.0
"""Seconds for which a poll counts as presence: browsers throttle the timers of a hidden page to
one a minute."""
ARRIVAL_S: Final = 10.0
"""Seconds for which players who were at the match before count as present in its rematch, which
their pages are still loading."""


class NotAuthorized(PermissionError):
    """A seat, an invitation or an action that the request has no credential for."""


class MatchSession:
    """A match as one process holds it.

    `lock` is held from a decision until its events are on disk and applied. Readers need none: all
    of this runs in one event loop, and an event is applied without awaiting.
    """

    def __init__(
        self,
        state: MatchState,
        credentials: list[SeatCredential],
        opener: str = "",
        archived: bool = False,
    ) -> None:
        self.state = state
        self.credentials = credentials
        self.opener = opener
        """The address that opened the match; its computers' work counts for that address."""
        self.archived = archived
        self.caught_up = False
        """Whether it was read what other processes wrote before this session was registered: no
        notification of that is applied to it."""
        self.lock = asyncio.Lock()
        self.deciding = 0
        """Decisions that hold the lock or wait for it; the last one notifies the watchers."""
        self.notified_seq = state.seq
        self.watchers: set[Callable[[], None]] = set()
        """Called whenever the state or the presence has changed."""
        self.opponents: dict[Seat, Player] = {}
        """The computer players, made at their first pick."""
        self.delay: Delay | None = None
        self.streams: Counter[Seat] = Counter()
        """Open streams of each seat in this process."""
        self.polled_at: dict[Seat, float] = {}
        """Time of the last poll of each seat that has no stream."""
        self.remote_seats: dict[str, set[Seat]] = {}
        """Seats present at other processes, by process."""
        self.away_since: dict[Seat, float] = {}
        """Since when each seat was seen nowhere."""
        self.reactions: dict[Seat, tuple[str, float]] = {}
        """The last sign of each seat, and when; kept nowhere else."""
        self.touched_at = -math.inf
        """When `touched` was last updated in the database."""
        self.watched_at = time.monotonic()
        self.presence: Presence | None = None
        """Who is present, until something changes, and for a moment only: it has the time."""
        self.encoded: dict[Seat | None, tuple[int, Presence, bytes]] = {}
        """The last view of each seat, and of spectators, with its event and presence."""
        self.encoded_parts: dict[tuple[object, Seat | None], tuple[object, bytes]] = {}
        """Parts of views, each with what it holds for."""

    def is_watched(self, seconds: float) -> bool:
        """Whether the match has a stream, or had a request within so many seconds."""
        return bool(self.watchers) or time.monotonic() - self.watched_at < seconds

    def set_delay(self, delay: Delay | None) -> None:
        """Set why a computer is late, and notify the watchers of a change."""
        if self.delay != delay:
            self.delay = delay
            self.notify_watchers()

    def react(self, seat: Seat, sign: str) -> None:
        """Show a sign of a seat to the watchers; `RateLimited` soon after the one before."""
        now = time.time()
        wait_s = self.reactions.get(seat, ("", 0.0))[1] + REACTION_INTERVAL_S - now
        if wait_s > 0:
            raise RateLimited(wait_s)
        self.reactions[seat] = (sign, now)
        self.notify_watchers()

    def notify_watchers(self) -> None:
        """Wake all streams, which then send what has changed: who is present, or an event."""
        self.presence = None
        self.notified_seq = self.state.seq
        for watcher in tuple(self.watchers):
            watcher()

    def notify_of_events(self) -> None:
        """Wake all streams where there are events that they were not told of."""
        if self.notified_seq != self.state.seq:
            self.notify_watchers()

    def seat_of(self, token: str) -> Seat | None:
        """The seat that a token is for."""
        hash = hashed(token)
        for each in self.credentials:
            if each.hash == hash and not each.invitation:
                return each.seat
        return None

    def open_invitation(self) -> SeatCredential | None:
        """The invitation that is not spent yet."""
        return next((each for each in self.credentials if each.invitation and not each.spent), None)

    def local_seats(self) -> set[Seat]:
        """The seats present at this process, by a stream or by polls."""
        return {seat for seat in SEATS if self.streams[seat] > 0 or seat in self.polled_at}

    def connected(self) -> Flags:
        """Whether each seat is present at any process; a computer always is."""
        present = self.local_seats().union(*self.remote_seats.values())
        one, two = (self.state.computers[seat] or seat in present for seat in SEATS)
        return one, two

    def expect_players_of(self, previous: "MatchSession") -> None:
        """Count those who are present at the match before this one as present, in swapped seats."""
        for seat in SEATS:
            if previous.connected()[seat]:
                self.polled_at[other(seat)] = time.monotonic() - POLL_LIFETIME_S + ARRIVAL_S

    def is_attended(self) -> bool:
        """Whether a player waits for an opponent or, once both have joined, anybody watches."""
        if self.state.ready:
            return bool(self.watchers or self.polled_at)
        return bool(self.local_seats()) or all(each.invitation for each in self.credentials)

    def expire_polls(self) -> bool:
        """Drop seats that no longer poll; whether the presence has changed."""
        before, then = self.local_seats(), time.monotonic() - POLL_LIFETIME_S
        self.polled_at = {seat: at for seat, at in self.polled_at.items() if at > then}
        return self.local_seats() != before


def new_token() -> str:
    """A random token or invitation."""
    return secrets.token_urlsafe(24)


def new_id() -> str:
    """A random match id: public, but not enumerable."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(10))


def hashed(token: str) -> str:
    """The stored form of a token. It has 192 random bits, so a hash without salt is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
