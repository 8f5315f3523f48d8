"""Notices during a match on a server: presence of players, clock, connection.

Each is a line of its own, shown once whenever what it depends on has changed.
"""

import time
from collections.abc import Iterator
from math import ceil
from typing import Any, Final, NamedTuple

from evenodds.client.remote_match import RemoteMatch
from evenodds.core.vocabulary import SEAT_NAMES, SEATS, other
from evenodds.core.words import Names
from evenodds.figures import counted, join_words
from evenodds.players.profiles import names_for_reader

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


class _State(NamedTuple):
    """How something is, None as before a match, and what is said when it has become so."""

    subject: object
    state: object
    line: str = ""
    changes_in_s: float | None = None
    """Seconds until it changes without an event."""


class MatchNotices:
    """The notices of a match, and of which states they were shown."""

    def __init__(self, remote: RemoteMatch) -> None:
        self.remote = remote
        seat, terms = remote.snapshot.seat, remote.snapshot.terms
        self.other_people = [each for each in terms.people if each != seat]
        """The people who are not at this keyboard."""
        connected = remote.snapshot.view.connected
        self._shown: dict[Any, Any] = {("here", each): connected[each] for each in SEATS}
        self._wait: tuple[int, float] | None = None
        """The round in which the player here waits for others, and since when."""
        self.timeout_s: float | None = None
        """Seconds until a notice is due without an event; None for never."""

    def collect(self, waits_in: int | None) -> list[str]:
        """The notices to show now, which count as shown, in a round where the player here waits."""
        if waits_in is None or self._wait is None or self._wait[0] != waits_in:
            self._wait = None if waits_in is None else (waits_in, time.monotonic())
        states = list(self._states())
        said = [each.line for each in states if self._shown.get(each.subject) != each.state]
        self._shown |= {each.subject: each.state for each in states}
        due = [each.changes_in_s for each in states if each.changes_in_s is not None]
        self.timeout_s = min(due, default=None)
        return [line for line in said if line]

    def _states(self) -> Iterator[_State]:
        remote, view, seat = self.remote, self.remote.snapshot.view, self.remote.snapshot.seat
        again = "Connected again." if remote.online else "Connection lost. Trying again."
        yield _State("connection", None if remote.online else "lost", again)
        for person in self.other_people:
            here = view.connected[person]
            says = "is here." if here else "has left, perhaps only for a moment."
            yield _State(("here", person), here, f"{self._names[person]} {says}")
        yield from self._waiting()
        yield _State("computer", view.delay, COMPUTER_DELAY_MESSAGES.get(view.delay or "", ""))
        yield self._countdown()
        yield self._absence()
        if seat is not None and (away := other(seat)) in self.other_people:
            name, asks, wants = self._names[away], view.takeback_asked, view.offers[away]
            asked = f"{name} asks to take back their last pick; type undo to agree."
            yield _State("take back", asks, asked if asks == SEAT_NAMES[away] else "")
            unasked = wants and not view.offers[seat]
            yield _State("rematch", wants, f"{name} would like to play again." if unasked else "")

    @property
    def _names(self) -> Names:
        """What the players are called: who joins brings a name."""
        return names_for_reader(self.remote.snapshot.terms, self.remote.snapshot.seat)

    def _awaited_names(self, begin: bool) -> str:
        """The names of the players who have to pick, as a sentence begins with them or goes on."""
        names, waiting = self._names, self.remote.snapshot.view.waiting
        awaited = [seat for seat in names.order if waiting[seat]]
        begun = [names[seat] for seat in awaited[:1] if begin]
        return join_words([*begun, *map(names.inside, awaited[len(begun) :])])

    def _waiting(self) -> Iterator[_State]:
        """For whom the player here waits: once a round, and not for a moment only."""
        told = self._shown.get("wait")
        if self._wait is not None and self._wait[0] != told:
            round, since = self._wait
            left = since + WAIT_NOTICE_DELAY_S - time.monotonic()
            if left > 0:
                yield _State("wait", told, changes_in_s=left)
            else:
                yield _State("wait", round, self._waiting_line())

    def _waiting_line(self) -> str:
        view, seat = self.remote.snapshot.view, self.remote.snapshot.seat
        if not self.remote.snapshot.ready:
            return "Waiting for your opponent, who needs the link."
        picked = seat is not None and view.chosen[seat]
        awaited = [person for person in self.other_people if view.waiting[person]]
        away = [person for person in awaited if not view.connected[person]]
        begin = "Your pick is in. " if picked else ""
        end = ", who is not here at the moment" if len(away) == 1 else ""
        return f"{begin}Waiting for {self._awaited_names(begin=False)}{end}."

    def _countdown(self) -> _State:
        """The clock: at its start, at the warning times, and when it is up."""
        snapshot, left = self.remote.snapshot, self.remote.time_left_s
        waiting, seat = snapshot.view.waiting, snapshot.seat
        who: object = [each for each in self.other_people if waiting[each]]
        own = seat is not None and waiting[seat]
        if left is None or not (own or who):
            return _State("clock", None)
        clock = (len(snapshot.history), snapshot.revealing, own or who, self.remote.extensions)
        coming = sum(mark < left for mark in CLOCK_WARNINGS_S)
        before, fewer = self._shown.get("clock") or (None, 0)
        if clock == before:  # times of the server differ a little from message to message
            coming = min(coming, fewer)
        due = left - CLOCK_WARNINGS_S[-coming] if coming else None
        return _State("clock", (clock, coming), self._clock_line(own, round(left)), due)

    def _clock_line(self, own: bool, seconds: int) -> str:
        if own:
            return f"You have {counted(seconds, 'seconds')}." if seconds else "Your time is up."
        have = "have" if all(self.remote.snapshot.view.waiting) else "has"
        left = counted(seconds, "seconds") if seconds else "run out of time"
        return f"{self._awaited_names(begin=True)} {have} {left}."

    def _absence(self) -> _State:
        """The time until a claim is possible, and that it is."""
        seat, left = self.remote.snapshot.seat, self.remote.absence_left_s
        if seat is None or left is None:
            return _State("absence", None)
        name = self._names[other(seat)]
        if not left:
            said = f"{name} has not come back; type claim to win the match."
            return _State("absence", "over", said)
        unit_s, unit = (60, "minutes") if left > 60 else (1, "seconds")
        until = counted(ceil(left / unit_s), unit)
        return _State("absence", "away", f"{name} is away. In {until} you can claim the win.", left)
