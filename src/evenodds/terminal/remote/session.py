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
from evenodds.terminal.keyboard import InputInterrupted, Keyboard
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
from evenodds.terminal.screen import Screen


class RemoteSession(Session):
    """Matches on a server with the same opponent."""

    def __init__(
        self,
        options: SessionOptions,
        remote: RemoteMatch,
        screen: Screen | None = None,
        keyboard: Keyboard | None = None,
    ) -> None:
        super().__init__(options, screen, keyboard)
        self.remote = remote

    def run(self) -> int:
        """Play or watch matches until the player leaves; the exit code, or `RemoteError`."""
        while True:
            with closing(self.remote):
                exit_code, following = self._play_remote_match(self._remote_loop())
            if following is None:
                return exit_code or EXIT_FINISHED
            self.remote = following
            self.screen.say("")

    def _remote_loop(self) -> RemoteMatchLoop:
        """The loop of the match."""
        return RemoteMatchLoop(
            self.remote, self.screen, self.keyboard, interactive=self.interactive
        )

    def _play_remote_match(self, loop: RemoteMatchLoop) -> tuple[int | None, RemoteMatch | None]:
        """Play or watch one match: the exit code if it was left, and the rematch if any."""
        self.keyboard.interrupter = loop
        try:
            exit_code = self._play_loop(loop)
            return exit_code, None if exit_code is not None else self._ask_what_next(loop)
        except RemoteError as error:
            self.screen.say("")  # end the line of an open prompt
            raise self._with_join_command(error) from None
        finally:
            self.keyboard.interrupter = None

    def _play_loop(self, loop: RemoteMatchLoop) -> int | None:
        self._greet(loop)
        with self.keyboard.restoring_terminal():
            exit_code = self._run_loop(
                loop, bool(loop.match.history or loop.remote.snapshot.view.result)
            )
        if exit_code is None:
            self._record(loop.match)
        return exit_code

    def _notation(self, match: Match) -> str:
        """The server's record with its seals; else the local one."""
        try:
            return self.remote.record(match)
        except InvalidResponse as error:
            self.screen.say(f"The match is recorded as it was seen here: {error}.")
        except RemoteError:
            pass
        return super()._notation(match)

    def _greet(self, loop: RemoteMatchLoop) -> None:
        """Show the seat of the player, or that this is a spectator."""
        if loop.seat is None:
            self.screen.say("You are watching this match: both seats are taken.")
            return
        names = loop.match.names
        self.screen.say(f"You are {names[loop.seat]}, opposite {names[other(loop.seat)]}.")
        if error_line := self.remote.saved_seat.save_error:
            self.screen.say(f"Your seat cannot be saved: {error_line}. You lose it when you leave.")

    def _ask_what_next(self, loop: RemoteMatchLoop) -> RemoteMatch | None:
        """Ask what to do after a match; the rematch, or None."""
        if loop.seat is None or not self.interactive:
            return None
        if not loop.void:
            self.people = (1, 2) if loop.seat == FIRST else (2, 1)
            self._update_tally(loop.match)
        while True:
            try:
                loop.show_notices()
                following = self._ask_next(NextAction.AGAIN, NextAction.REVIEW, NextAction.QUIT)
            except InputInterrupted:
                self.screen.say("")
                continue
            if following == NextAction.QUIT:
                return None
            if following == NextAction.REVIEW:
                self._review(loop.match)
            elif remote := self._play_again(loop):
                return remote

    def _play_again(self, loop: RemoteMatchLoop) -> RemoteMatch | None:
        """Offer a rematch, and wait until the other accepts or the player quits."""
        try:
            remote = self.remote.rematch()
            if remote is None:
                self.screen.say("Waiting for your opponent to accept. Type quit to stop waiting.")
            while remote is None:
                loop.show_notices()
                line = self.keyboard.read_unprompted(loop)
                if line and input_parsing.parse_command(line) == "quit":
                    return None
                if self.remote.snapshot.view.rematch:
                    remote = self.remote.rematch()
        except (RequestRefused, ServerUnreachable) as error:
            self.screen.say(f"There is no rematch: {error}.")
            return None
        return remote

    def _show_left(self, loop: MatchLoop, exit_code: int) -> None:
        if exit_code == EXIT_INTERRUPTED:
            self.screen.say("")
        if self.remote.snapshot.has_unrevealed_pick:
            self.screen.say(
                "Your number is promised, but not shown yet: for that you must be here when",
                "both have promised. Whoever has not shown theirs when the time is up loses.",
            )
        self.screen.say("The match stays on the server. Return with:", self._join_command)

    def _with_join_command(self, error: RemoteError) -> RemoteError:
        """The error; for an unreachable server with the command to come back."""
        if isinstance(error, ServerUnreachable):
            return RemoteError(f"{error}. Return with: {self._join_command}")
        return error

    @property
    def _join_command(self) -> str:
        return f"evenodds join {self.remote.address.link}"
