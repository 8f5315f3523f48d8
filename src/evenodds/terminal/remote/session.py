"""A terminal session on a server."""

from contextlib import closing

from evenodds.client.http_client import (
    InvalidResponse,
    RemoteError,
    ServerUnreachable,
)
from evenodds.client.remote_match import RemoteMatch
from evenodds.core.match import Match
from evenodds.core.vocabulary import other
from evenodds.terminal.keyboard import Keyboard
from evenodds.terminal.play.match_loop import MatchLoop
from evenodds.terminal.play.session import (
    EXIT_FINISHED,
    Session,
    SessionOptions,
)
from evenodds.terminal.remote.match_loop import RemoteMatchLoop
from evenodds.terminal.screen import Screen


class RemoteSession(Session):
    """A match on a server, played or watched."""

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
        """Play or watch the match; the exit code, or `RemoteError`."""
        with closing(self.remote):
            return self._play_remote_match(self._remote_loop()) or EXIT_FINISHED

    def _remote_loop(self) -> RemoteMatchLoop:
        """The loop of the match."""
        return RemoteMatchLoop(self.remote, self.screen, self.keyboard)

    def _play_remote_match(self, loop: RemoteMatchLoop) -> int | None:
        """Play or watch the match; the exit code if it was left."""
        self.keyboard.interrupter = loop
        try:
            return self._play_loop(loop)
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
        self.screen.say(*filter(None, [self.remote.saved_seat.note]))
        if loop.seat is None:
            self.screen.say("You are watching this match: both seats are taken.")
            return
        names = loop.match.names
        self.screen.say(f"You are {names[loop.seat]}, opposite {names[other(loop.seat)]}.")
        if error_line := self.remote.saved_seat.save_error:
            self.screen.say(f"Your seat cannot be saved: {error_line}. You lose it when you leave.")

    def _show_left(self, loop: MatchLoop, unavailable: bool) -> None:
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
