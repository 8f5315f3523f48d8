"""Sessions of matches on a server, reporting to a screen of the app."""

from evenodds.app.dialogs.dialog import DialogKeyboard, DialogScreen
from evenodds.app.dialogs.messages import Post
from evenodds.app.dialogs.sessions import TableReports, TableSession
from evenodds.client.remote_match import RemoteMatch
from evenodds.terminal.play.session import SessionOptions
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

    def _wait(self) -> None:
        self.report()
        super()._wait()


class NetworkSession(TableSession, RemoteSession):
    """Matches on a server."""

    def __init__(self, options: SessionOptions, remote: RemoteMatch, post: Post) -> None:
        screen = DialogScreen(post)
        RemoteSession.__init__(self, options, remote, screen, DialogKeyboard(screen))
        self.interactive = True

    def _remote_loop(self) -> RemoteMatchLoop:
        loop = NetworkLoop(self.remote, self.screen, self.keyboard, interactive=self.interactive)
        loop.fill_panels()
        return loop
