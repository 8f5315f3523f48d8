"""A terminal session on a server: consecutive matches against the same opponent."""

from contextlib import closing

from evenodds.client.http_client import (
    InvalidResponse,
    RemoteError,
    RequestRefused,
    ServerUnreachable,
)
from evenodds.client.remote_match import RemoteMatch
from evenodds.core.match import Match
from evenodds.core.vocabulary import FIRST, other
from evenodds.terminal.keyboard import InputInterrupted
from evenodds.terminal.play import input_parsing
from evenodds.terminal.play.match_loop import MatchLoop
from evenodds.terminal.play.session import (
    EXIT_FINISHED,
    EXIT_INTERRUPTED,
    NextAction,
    Session,
    SessionOptions,
)
from evenodds.terminal.remote.match_loop import RemoteMatchLoop


class RemoteSession(Session):
    """The one at this keyboard, and whoever sits opposite on the server."""

    def __init__(self, manner: SessionOptions, place: RemoteMatch) -> None:
        super().__init__(manner)
        self.place = place

    def stay(self) -> int:
        """Play or watch until something else is wanted; the exit code. `RemoteError` ends it."""
        while True:
            with closing(self.place):
                guest = RemoteMatchLoop(
                    self.place, self.screen, self.keyboard, dramatic=self.lively
                )
                status, following = self._be_guest(guest)
            if following is None:
                return status or EXIT_FINISHED
            self.place = following
            self.screen.say("")

    def _be_guest(self, guest: RemoteMatchLoop) -> tuple[int | None, RemoteMatch | None]:
        """Play or watch one match: the exit code if it was left, and what comes after it."""
        self.keyboard.bell = guest
        try:
            status = self._sit(guest)
            return status, None if status is not None else self._after(guest)
        except RemoteError as error:
            self.screen.say("")  # a question may be open
            raise self._explained(error) from None
        finally:
            self.keyboard.bell = None

    def _sit(self, guest: RemoteMatchLoop) -> int | None:
        self._greet(guest)
        with self.keyboard.at_work():
            status = self._attend(guest, bool(guest.match.history or guest.place.snapshot.result))
        if status is None:
            self._record(guest.match)
        return status

    def _written(self, match: Match) -> str:
        """As the server wrote it down, with what sealed the picks; else as it was seen here."""
        try:
            return self.place.record(match)
        except InvalidResponse as error:
            self.screen.say(f"The match is recorded as it was seen here: {error}.")
        except RemoteError:
            pass
        return super()._written(match)

    def _greet(self, guest: RemoteMatchLoop) -> None:
        """Say which seat it is, since nobody at home has to be told."""
        if guest.seat is None:
            self.screen.say("You watch this match: its seats are taken.")
            return
        names = guest.match.names
        self.screen.say(f"You are {names[guest.seat]}, opposite {names[other(guest.seat)]}.")
        if trouble := self.place.saved_seat.save_error:
            self.screen.say(f"Your seat cannot be kept: {trouble}. It is lost when you leave.")

    def _after(self, guest: RemoteMatchLoop) -> RemoteMatch | None:
        """What comes after a match: another with the same person, or nothing more."""
        if guest.seat is None or not self.lively:
            return None
        if not guest.void:
            self.people = (1, 2) if guest.seat == FIRST else (2, 1)
            self._count(guest.match)
        while True:
            try:
                guest.say_news()
                following = self._ask_next(NextAction.AGAIN, NextAction.REVIEW, NextAction.QUIT)
            except InputInterrupted:
                self.screen.say("")
                continue
            if following == NextAction.QUIT:
                return None
            if following == NextAction.REVIEW:
                self._review(guest.match)
            elif place := self._play_again(guest):
                return place

    def _play_again(self, guest: RemoteMatchLoop) -> RemoteMatch | None:
        """Ask for a rematch, and wait until the other does so too or it is called off."""
        try:
            place = self.place.rematch()
            if place is None:
                self.screen.say("The other is asked. Type quit to wait no longer.")
            while place is None:
                guest.say_news()
                line = self.keyboard.overhear(guest)
                if line and input_parsing.parse_command(line) == "quit":
                    return None
                if self.place.snapshot.rematch:
                    place = self.place.rematch()
        except (RequestRefused, ServerUnreachable) as error:
            self.screen.say(f"There is no rematch: {error}.")
            return None
        return place

    def _leave(self, table: MatchLoop, status: int) -> None:
        if status == EXIT_INTERRUPTED:
            self.screen.say("")
        if self.place.snapshot.has_unrevealed_pick:
            self.screen.say(
                "Your number is promised, but not shown yet: for that you must be here when",
                "both have promised. Whoever has not shown theirs when the time is up loses.",
            )
        self.screen.say("The match stays on the server. Come back with:", self._way_back)

    def _explained(self, error: RemoteError) -> RemoteError:
        """What ends a visit; where it may end only for today, the way back."""
        if isinstance(error, ServerUnreachable):
            return RemoteError(f"{error}. Come back with: {self._way_back}")
        return error

    @property
    def _way_back(self) -> str:
        return f"evenodds join {self.place.address.link}"
