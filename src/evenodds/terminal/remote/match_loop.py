"""The loop of one match on a server: picks are sent, server events are followed.

A local `Match` replays the history that the server sends. So the dialog, the boards and the
refusals are those of a local match; the server adds seats and clocks.
"""

import time
from collections.abc import Callable

from evenodds.client.http_client import RequestRefused, ServerUnreachable, retry_delays
from evenodds.client.remote_match import RemoteMatch
from evenodds.client.snapshot import apply_result, replay_round
from evenodds.core.match import Match
from evenodds.core.notation.seals import COMMITMENT
from evenodds.core.record import CANCELLED_REASON, VOID_REASON
from evenodds.core.vocabulary import FIRST, Pair, Seat, other
from evenodds.terminal.keyboard import InputInterrupted, Keyboard
from evenodds.terminal.play.match_loop import MatchLoop
from evenodds.terminal.remote.commands import RemotePlayCommands
from evenodds.terminal.remote.notices import MatchNotices
from evenodds.terminal.screen import Screen
from evenodds.terminal.storage.matches import MatchFile


class RemoteMatchLoop(MatchLoop):
    """The loop of a player or spectator of a match on a server."""

    def __init__(self, remote: RemoteMatch, screen: Screen, keyboard: Keyboard) -> None:
        match = Match(remote.snapshot.terms)
        for picks in remote.snapshot.history:
            replay_round(match, picks)
        super().__init__(match, screen, keyboard, MatchFile(), {})
        self.remote = remote
        self.seat = remote.snapshot.seat
        self.people = [] if self.seat is None else [self.seat]
        self.unseen = False
        """Only one player uses this keyboard, so input may be shown."""
        self._notices = MatchNotices(remote, match)
        self._commands = RemotePlayCommands(self)
        self._pending_notices: list[str] = []
        self._shown_state: object = None
        self._revealed = 0

    def play(self) -> None:
        """Follow the match to its end; `QuitMatch`, EOFError or KeyboardInterrupt leave it."""
        while self.match.result is None and not self.void:
            self._announce()
            self._synchronize()
        if self.void:
            reason = VOID_REASON if self.remote.snapshot.ready else CANCELLED_REASON
            self.screen.say("", *self.words.ended(reason, None, self.match.names))
        else:
            self._tell_ending()

    @property
    def void(self) -> bool:
        """Whether the match has ended without a result."""
        return self.match.result is None and self.remote.snapshot.void

    @property
    def asked(self) -> bool:
        """Whether the player at this keyboard has to pick."""
        return self.remote.snapshot.must_pick

    def save(self, hidden: bool = True) -> None:
        """Do nothing: the server stores the match."""

    def fileno(self) -> int:
        """The file descriptor that becomes readable with events of the server."""
        return self.remote.fileno()

    def timeout_s(self) -> float | None:
        """Seconds until a notice is due without an event."""
        return self._notices.timeout_s()

    def poll(self) -> bool:
        """Read events of the server; whether there is something to show or to do now."""
        self.remote.process_messages()
        self._pending_notices += self._notices.collect()
        return bool(self._pending_notices) or self._decision_state() != self._shown_state

    def show_notices(self) -> None:
        """Show the pending notices."""
        self.poll()
        self.screen.say(*self._pending_notices)
        self._pending_notices.clear()
        self._shown_state = self._decision_state()

    def send(self, action: Callable[[], None]) -> bool:
        """Send a request, retried until the server can be reached; whether it was granted.

        A retry is safe: a pick names its round, so one that arrives twice counts once.
        """
        delays = retry_delays()
        while True:
            try:
                action()
                return True
            except RequestRefused as error:
                problem = str(error).rstrip(".")
                self.screen.say(f"The server says no: {problem}.")
                return False
            except ServerUnreachable:
                self.show_notices()
                time.sleep(next(delays))

    def _decision_state(self) -> object:
        """The parts of the snapshot that the next action depends on."""
        now = self.remote.snapshot
        return now.history, now.view.result, now.must_pick, now.revealing, now.view.rematch

    def _synchronize(self) -> None:
        """Bring the local match one step nearer to the server's, or wait for an event."""
        self.show_notices()
        now, local = self.remote.snapshot, self.match.history
        common = next(
            rounds for rounds in range(len(local), -1, -1) if now.history[:rounds] == local[:rounds]
        )
        if common < len(local):
            self._step_back(common)
        elif common < len(now.history):
            self._follow(now.history[common])
        elif now.view.result is not None and not self.void:
            apply_result(self.match, now.view.result)
        elif now.must_pick and self.seat is not None:
            self._ask(self.seat)
        elif not self.void:
            self._wait()

    def _step_back(self, rounds: int) -> None:
        """Undo rounds that were taken back, here or in another window."""
        while len(self.match.history) > rounds:
            self.match.undo()
        self.screen.say("Taken back.")
        self.announce_again()

    def _follow(self, picks: Pair) -> None:
        self._notices.stop_waiting()
        before = self.match.state
        replay_round(self.match, picks)
        self._show_round(before)

    def _ask(self, seat: Seat) -> None:
        try:
            super()._ask(seat)
        except InputInterrupted:
            self.screen.say("")

    def _pause(self) -> None:
        try:
            super()._pause()
        except InputInterrupted:
            self.screen.say("")

    def _submit(self, seat: Seat, number: int) -> None:
        """Check a pick locally, then send it."""
        self.match.check(seat, number)
        self.send(lambda: self.remote.pick(self.match.round, number))

    def _wait(self) -> None:
        """Wait for the other player; commands are accepted meanwhile."""
        self._notices.start_waiting(self.match.round)
        now = self.remote.snapshot
        if self.seat is not None and now.revealing and now.view.waiting[self.seat]:
            self._reveal()
        line = self.keyboard.read_unprompted(self)
        if line and not self._commands.run(line, FIRST if self.seat is None else self.seat):
            awaited_names = self._notices.awaited_names()
            self.screen.say(f"There is nothing to choose now; it is up to {awaited_names}.")

    def _reveal(self) -> None:
        """Reveal the committed number once both commitments are there, once a round."""
        if self._revealed == self.match.round or self.seat is None:
            return
        self._revealed = self.match.round
        pick = self.remote.committed_pick
        promised = self.remote.snapshot.view.commitments[other(self.seat)]
        if not COMMITMENT.fullmatch(promised or ""):
            self.screen.say(
                "The server asks for your number before the other has promised one. It is not sent."
            )
        elif pick is None:
            self.screen.say(
                "The number you promised is not kept on this machine. Show it where you picked it, "
                "or resign."
            )
        else:
            self.send(lambda: self.remote.reveal(pick))
