"""Notices during a match on a server: presence of players, clock, connection.

Each thing is said once, in a line of its own.
"""

import time
from math import ceil
from typing import Final

from evenodds.client.remote_match import RemoteMatch
from evenodds.core.match import Match
from evenodds.core.vocabulary import SEATS
from evenodds.system.text import listed

CLOCK_WARNINGS_S: Final = (60, 30, 10, 0)
"""Seconds left at which the clock is called out."""
COMPUTER_DELAY_MESSAGES: Final = {
    "solving": "The computer waits until this game is solved.",
    "search": "Until this game is solved, the computer looks ahead.",
    "unsolved": "This game could not be solved, so the computer looks ahead.",
    "trouble": "Something went wrong on the server. The computer tries again.",
}
"""Why a computer is late, or not itself."""
WAIT_NOTICE_DELAY_S: Final = 0.5
"""Seconds in which somebody answers at once, and need not be waited for in words."""


class MatchNotices:
    """What was said, and so what is still to be said."""

    def __init__(self, place: RemoteMatch, match: Match) -> None:
        self.place = place
        self.names = match.names
        self.others = [
            seat for seat in SEATS if seat != place.snapshot.seat and not match.terms.computer(seat)
        ]
        """The people who are not at this keyboard."""
        self._online = True
        self._connected = place.connected
        self._delay = ""
        self._offers = (False, False)
        self._clock: object = None
        """Whose time runs, and in which round, as far as it was called out."""
        self._marks: list[int] = []
        self._away: bool | None = None
        """Whether it was said that the other is away; False: and that it was for too long."""
        self._waits_from: float | None = None
        self._waited = 0
        """The round in which it was last said who is waited for."""

    def waits(self, round: int) -> None:
        """Nothing is to be done here but to wait for somebody."""
        if self._waited != round and self._waits_from is None:
            self._waited = round
            self._waits_from = time.monotonic()

    def waits_no_more(self) -> None:
        """Whoever was waited for has come."""
        self._waits_from = None

    def due(self) -> float | None:
        """Seconds until there is something to say though nothing happens."""
        left = self.place.time_left_s
        moments = [left - self._marks[0]] if left is not None and self._marks else []
        absence = self.place.absence_left_s
        if absence is not None and self._away is not False:
            moments.append(absence if self._away else 0.0)
        if self._waits_from is not None:
            moments.append(self._waits_from + WAIT_NOTICE_DELAY_S - time.monotonic())
        return max(0.0, min(moments)) if moments else None

    def collect(self) -> list[str]:
        """What is to be said now; it counts as said."""
        said = [*self._line(), *self._presence(), *self._waiting(), *self._computer()]
        return [*said, *self._countdown(), *self._absence(), *self._rematch()]

    def awaited(self) -> str:
        """Who is waited for, by name."""
        waiting = self.place.snapshot.waiting
        return listed([name for seat, name in self.names.listed() if waiting[seat]])

    def _line(self) -> list[str]:
        if self.place.online == self._online:
            return []
        self._online = self.place.online
        if self._online:
            return ["The server is there again."]
        return ["The connection to the server is lost; trying again."]

    def _presence(self) -> list[str]:
        changed = [
            seat for seat in self.others if self._connected[seat] != self.place.connected[seat]
        ]
        self._connected = self.place.connected
        says = {True: "is here.", False: "has left; perhaps for a moment."}
        return [f"{self.names[seat]} {says[self._connected[seat]]}" for seat in changed]

    def _waiting(self) -> list[str]:
        if self._waits_from is None or time.monotonic() < self._waits_from + WAIT_NOTICE_DELAY_S:
            return []
        self._waits_from = None
        snapshot = self.place.snapshot
        own = snapshot.seat is not None and snapshot.chosen[snapshot.seat]
        away = [
            seat
            for seat in self.others
            if snapshot.waiting[seat] and not self.place.connected[seat]
        ]
        begin = "Your pick is in. " if own else ""
        end = ", who is not here at the moment" if len(away) == 1 else ""
        return [f"{begin}Waiting for {self.awaited()}{end}."]

    def _computer(self) -> list[str]:
        if self.place.delay == self._delay:
            return []
        self._delay = self.place.delay
        return (
            [COMPUTER_DELAY_MESSAGES[self._delay]] if self._delay in COMPUTER_DELAY_MESSAGES else []
        )

    def _countdown(self) -> list[str]:
        """The clock: what there is at first, what is left now and then, and that it is up."""
        snapshot, left = self.place.snapshot, self.place.time_left_s
        people = [seat for seat in self.others if snapshot.waiting[seat]]
        if left is None or not (people or self._own_time):
            self._clock, self._marks = None, []
            return []
        who = self._own_time or people
        clock = (len(snapshot.history), snapshot.revealing, who, self.place.extensions)
        if clock != self._clock:
            self._clock = clock
            self._marks = [mark for mark in CLOCK_WARNINGS_S if mark < left]
            return [self._time(round(left))]
        passed = [mark for mark in self._marks if left <= mark]
        self._marks = self._marks[len(passed) :]
        return [self._time(passed[-1])] if passed else []

    def _absence(self) -> list[str]:
        """That the other is away, until when they may come back, and that they have not."""
        left, before = self.place.absence_left_s, self._away
        self._away = None if left is None else left > 0
        if left is None or self._away == before:
            return []
        name = self.names[self.others[0]]
        if not self._away:
            return [f"{name} has not come back; type claim to win the match."]
        return [f"{name} is away. In {_format_time_left(left)} you can claim the win."]

    def _time(self, seconds: int) -> str:
        amount = "1 second" if seconds == 1 else f"{seconds} seconds"
        if self._own_time:
            return f"You have {amount}." if seconds else "Your time is up."
        who = f"{self.awaited()} {'have' if all(self.place.snapshot.waiting) else 'has'}"
        if seconds:
            return f"{who} {amount}."
        return f"{who} run out of time."

    @property
    def _own_time(self) -> bool:
        """Whether the time of the one at this keyboard runs."""
        snapshot = self.place.snapshot
        return snapshot.seat is not None and snapshot.waiting[snapshot.seat]

    def _rematch(self) -> list[str]:
        offers = self.place.snapshot.offers
        new = [seat for seat in self.others if offers[seat] and not self._offers[seat]]
        self._offers = offers
        own = self.place.snapshot.seat
        unasked = own is not None and not offers[own]
        return [f"{self.names[seat]} would like to play again." for seat in new if unasked]


def _format_time_left(seconds: float) -> str:
    """A time in words, rounded up."""
    size, unit = (60, "minute") if seconds > 60 else (1, "second")
    count = ceil(seconds / size)
    return f"{count} {unit}{'' if count == 1 else 's'}"
