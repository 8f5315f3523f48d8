"""Notices during a match on a server: presence of players, clock, connection.

Each notice is shown once, on a line of its own.
"""

import time
from math import ceil
from typing import Final

from evenodds.client.remote_match import RemoteMatch
from evenodds.core.match import Match
from evenodds.core.vocabulary import SEAT_NAMES, SEATS, SeatName
from evenodds.figures import join_words

CLOCK_WARNINGS_S: Final = (60, 30, 10, 0)
"""Seconds left at which the clock is shown."""
COMPUTER_DELAY_MESSAGES: Final = {
    "solving": "The computer is waiting for the game to be solved.",
    "search": (
        "The exact solution is still being computed; until then the computer looks a few moves "
        "ahead."
    ),
    "unsolved": "The game could not be solved, so the computer looks a few moves ahead.",
    "trouble": "Something went wrong on the server. The computer tries again.",
}
"""Messages by the delay code of a computer opponent."""
WAIT_NOTICE_DELAY_S: Final = 0.5
"""Seconds of waiting before a notice: quick replies need none."""


class MatchNotices:
    """The notices of a match, and which of them were shown."""

    def __init__(self, remote: RemoteMatch, match: Match) -> None:
        self.remote = remote
        self.names = match.names
        self.other_people = [
            seat
            for seat in SEATS
            if seat != remote.snapshot.seat and not match.terms.computer(seat)
        ]
        """The people who are not at this keyboard."""
        self._online = True
        self._connected = remote.presence.connected
        self._delay: str | None = None
        self._offers = (False, False)
        self._takeback_asked: SeatName | None = None
        self._announced_clock: object = None
        """The clock that was shown last: round, phase, whose time runs, extensions."""
        self._pending_warnings: list[int] = []
        self._absence_announced: bool | None = None
        """Whether absence was shown: None not at all, True with the time left, False as expired."""
        self._waiting_since: float | None = None
        self._waiting_announced_round = 0
        """The round of the last waiting notice."""

    def start_waiting(self, round: int) -> None:
        """The player here has to wait for the other from now on."""
        if self._waiting_announced_round != round and self._waiting_since is None:
            self._waiting_announced_round = round
            self._waiting_since = time.monotonic()

    def stop_waiting(self) -> None:
        """The wait is over."""
        self._waiting_since = None

    def timeout_s(self) -> float | None:
        """Seconds until a notice is due without an event; None for never."""
        left = self.remote.time_left_s
        timeouts = (
            [left - self._pending_warnings[0]]
            if left is not None and self._pending_warnings
            else []
        )
        absence = self.remote.absence_left_s
        if absence is not None and self._absence_announced is not False:
            timeouts.append(absence if self._absence_announced else 0.0)
        if self._waiting_since is not None:
            timeouts.append(self._waiting_since + WAIT_NOTICE_DELAY_S - time.monotonic())
        return max(0.0, min(timeouts)) if timeouts else None

    def collect(self) -> list[str]:
        """The notices to show now; they count as shown."""
        said = [*self._connection_notices(), *self._presence(), *self._waiting(), *self._computer()]
        return [*said, *self._countdown(), *self._absence(), *self._take_back(), *self._rematch()]

    def awaited_names(self) -> str:
        """The names of the players who have to pick."""
        waiting = self.remote.snapshot.view.waiting
        return join_words([name for seat, name in self.names.listed() if waiting[seat]])

    def _connection_notices(self) -> list[str]:
        if self.remote.online == self._online:
            return []
        self._online = self.remote.online
        if self._online:
            return ["Connected again."]
        return ["Connection lost. Trying again."]

    def _presence(self) -> list[str]:
        changed = [
            seat
            for seat in self.other_people
            if self._connected[seat] != self.remote.presence.connected[seat]
        ]
        self._connected = self.remote.presence.connected
        says = {True: "is here.", False: "has left, perhaps only for a moment."}
        return [f"{self.names[seat]} {says[self._connected[seat]]}" for seat in changed]

    def _waiting(self) -> list[str]:
        if (
            self._waiting_since is None
            or time.monotonic() < self._waiting_since + WAIT_NOTICE_DELAY_S
        ):
            return []
        self._waiting_since = None
        snapshot = self.remote.snapshot
        if not snapshot.ready:
            return ["Waiting for your opponent, who needs the link."]
        own_seat = snapshot.seat is not None and snapshot.view.chosen[snapshot.seat]
        away = [
            seat
            for seat in self.other_people
            if snapshot.view.waiting[seat] and not self.remote.presence.connected[seat]
        ]
        begin = "Your pick is in. " if own_seat else ""
        end = ", who is not here at the moment" if len(away) == 1 else ""
        return [f"{begin}Waiting for {self.awaited_names()}{end}."]

    def _computer(self) -> list[str]:
        if self.remote.presence.delay == self._delay:
            return []
        self._delay = self.remote.presence.delay
        return (
            [COMPUTER_DELAY_MESSAGES[self._delay]] if self._delay in COMPUTER_DELAY_MESSAGES else []
        )

    def _countdown(self) -> list[str]:
        """Notices of the clock: at its start, at the warning times, and when it is up."""
        snapshot, left = self.remote.snapshot, self.remote.time_left_s
        people = [seat for seat in self.other_people if snapshot.view.waiting[seat]]
        if left is None or not (people or self._own_time):
            self._announced_clock, self._pending_warnings = None, []
            return []
        who = self._own_time or people
        clock = (len(snapshot.history), snapshot.revealing, who, self.remote.extensions)
        if clock != self._announced_clock:
            self._announced_clock = clock
            self._pending_warnings = [mark for mark in CLOCK_WARNINGS_S if mark < left]
            return [self._time(round(left))]
        passed = [mark for mark in self._pending_warnings if left <= mark]
        self._pending_warnings = self._pending_warnings[len(passed) :]
        return [self._time(passed[-1])] if passed else []

    def _absence(self) -> list[str]:
        """Notices of absence: the time until a claim is possible, and that it is."""
        left, before = self.remote.absence_left_s, self._absence_announced
        self._absence_announced = None if left is None else left > 0
        if left is None or self._absence_announced == before:
            return []
        name = self.names[self.other_people[0]]
        if not self._absence_announced:
            return [f"{name} has not come back; type claim to win the match."]
        return [f"{name} is away. In {_format_time_left(left)} you can claim the win."]

    def _time(self, seconds: int) -> str:
        amount = "1 second" if seconds == 1 else f"{seconds} seconds"
        if self._own_time:
            return f"You have {amount}." if seconds else "Your time is up."
        have = "have" if all(self.remote.snapshot.view.waiting) else "has"
        who = f"{self.awaited_names()} {have}"
        if seconds:
            return f"{who} {amount}."
        return f"{who} run out of time."

    @property
    def _own_time(self) -> bool:
        """Whether the time of the player at this keyboard runs."""
        snapshot = self.remote.snapshot
        return snapshot.seat is not None and snapshot.view.waiting[snapshot.seat]

    def _take_back(self) -> list[str]:
        asked = self.remote.snapshot.view.takeback_asked
        if asked == self._takeback_asked:
            return []
        self._takeback_asked = asked
        return [
            f"{self.names[seat]} asks to take back their last pick. Type undo to agree."
            for seat in self.other_people
            if SEAT_NAMES[seat] == asked and self.remote.snapshot.seat is not None
        ]

    def _rematch(self) -> list[str]:
        offers = self.remote.snapshot.view.offers
        new = [seat for seat in self.other_people if offers[seat] and not self._offers[seat]]
        self._offers = offers
        own_seat = self.remote.snapshot.seat
        unasked = own_seat is not None and not offers[own_seat]
        return [f"{self.names[seat]} would like to play again." for seat in new if unasked]


def _format_time_left(seconds: float) -> str:
    """A time in words, rounded up."""
    size, unit = (60, "minute") if seconds > 60 else (1, "second")
    count = ceil(seconds / size)
    return f"{count} {unit}{'' if count == 1 else 's'}"
