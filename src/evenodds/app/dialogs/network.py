"""Sessions of matches on a server, reporting to a screen of the app."""

from contextlib import closing

from evenodds.app.dialogs.dialog import Dialog, DialogKeyboard, DialogScreen
from evenodds.app.dialogs.messages import NextAction, Post
from evenodds.app.dialogs.sessions import TableSession
from evenodds.app.dialogs.table_reports import TableReports
from evenodds.client.http_client import RequestRefused, ServerUnreachable
from evenodds.client.remote_match import RemoteMatch
from evenodds.core.vocabulary import Seat, other
from evenodds.terminal.keyboard import InputInterrupted
from evenodds.terminal.play.session import EXIT_FINISHED, SessionOptions
from evenodds.terminal.remote.match_loop import RemoteMatchLoop
from evenodds.terminal.remote.session import RemoteSession


class NetworkLoop(TableReports, RemoteMatchLoop):
    """The loop of a match on a server."""

    def chosen(self) -> tuple[bool, bool]:
        """Which seats have a pick in this round, as the server says."""
        return self.remote.snapshot.view.chosen

    def show_notices(self) -> None:
        """Show presence, clock and connection in the status line."""
        with self.screen.status():
            super().show_notices()

    def _show_map(self, seat: Seat) -> None:
        if self.match.terms.computer(other(seat)):
            super()._show_map(seat)
        else:
            self.screen.say("There are no hints against a person.")

    def _wait(self) -> None:
        self.report()
        super()._wait()


class NetworkSession(TableSession, RemoteSession):
    """Consecutive matches on a server with the same opponent."""

    def __init__(self, options: SessionOptions, remote: RemoteMatch, post: Post) -> None:
        screen = DialogScreen(post)
        RemoteSession.__init__(self, options, remote, screen, DialogKeyboard(screen))

    def run(self) -> int:
        """Play or watch matches until the player leaves; the exit code, or `RemoteError`."""
        following: RemoteMatch | None = self.remote
        exit_code = None
        while following is not None:
            self.remote = following
            with closing(self.remote):
                loop = self._remote_loop()
                exit_code = self._play_remote_match(loop)
                following = None if exit_code is not None else self._rematch(loop)
        return exit_code or EXIT_FINISHED

    def _remote_loop(self) -> NetworkLoop:
        loop = NetworkLoop(self.remote, self.screen, self.keyboard)
        loop.fill_panels()
        return loop

    def _rematch(self, loop: NetworkLoop) -> RemoteMatch | None:
        """Ask what follows a match; the rematch, or None."""
        again = () if loop.seat is None else (NextAction.AGAIN,)
        self.keyboard.interrupter = loop
        try:
            while True:
                loop.show_notices()
                try:
                    following = self.ask_next(*again, NextAction.REVIEW, NextAction.QUIT)
                except InputInterrupted:
                    continue
                if following is NextAction.REVIEW:
                    self.review(loop.match, loop.names)
                elif following is NextAction.QUIT:
                    return None
                elif remote := self._play_again(loop):
                    return remote
        finally:
            self.keyboard.interrupter = None

    def _play_again(self, loop: RemoteMatchLoop) -> RemoteMatch | None:
        """Offer a rematch, and wait until the other accepts."""
        try:
            remote = self.remote.rematch()
            if remote is None:
                self.screen.say("Waiting for your opponent to accept.")
            while remote is None:
                loop.show_notices()
                self.keyboard.read_unprompted(loop)
                if self.remote.snapshot.view.rematch:
                    remote = self.remote.rematch()
        except (RequestRefused, ServerUnreachable) as error:
            self.screen.say(f"There is no rematch: {error}.")
        return remote


def network_dialog(options: SessionOptions, remote: RemoteMatch, post: Post) -> Dialog:
    """The dialog of matches on a server."""
    session = NetworkSession(options, remote, post)
    dialog = Dialog(session.screen, session.keyboard, session.run, remote=True)
    if remote.snapshot.seat is None:
        dialog.commands = ("rules", "history")
    elif not any(remote.snapshot.terms.computers):  # there are no hints against a person
        dialog.commands = ("rules", "history", "undo", "resign")
    return dialog
