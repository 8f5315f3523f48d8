"""The loop of one match on a server: picks are sent, server events are followed.

The rules are judged here by a match of our own, which follows what the server says was played. So
the dialog, the boards and the refusals are those of home; the server adds seats and time.
"""

import time
from collections.abc import Callable

from evenodds.client.http_client import RequestRefused, ServerUnreachable, retry_delays
from evenodds.client.remote_match import RemoteMatch
from evenodds.client.snapshot import apply_result, replay_round
from evenodds.core.match import Match
from evenodds.core.record import CANCELLED_REASON, VOID_REASON
from evenodds.core.seals import COMMITMENT
from evenodds.core.vocabulary import FIRST, Pair, Seat, other
from evenodds.terminal.keyboard import InputInterrupted, Keyboard
from evenodds.terminal.play.match_loop import MatchLoop
from evenodds.terminal.play.replay import ending_lines
from evenodds.terminal.remote.commands import RemotePlayCommands
from evenodds.terminal.remote.notices import MatchNotices
from evenodds.terminal.screen import Screen
from evenodds.terminal.storage.matches import MatchFile


class RemoteMatchLoop(MatchLoop):
    """One of the players of a match on a server, or someone who watches it."""

    def __init__(
        self, place: RemoteMatch, screen: Screen, keyboard: Keyboard, *, dramatic: bool = False
    ) -> None:
        match = Match(place.snapshot.terms)
        for picks in place.snapshot.history:
            replay_round(match, picks)
        super().__init__(match, screen, keyboard, MatchFile(), {}, dramatic=dramatic)
        self.place = place
        self.seat = place.snapshot.seat
        self.people = [] if self.seat is None else [self.seat]
        self.unseen = False
        """One person alone sits at this keyboard: there is nobody to hide from."""
        self._notices = MatchNotices(place, match)
        self._asides = RemotePlayCommands(self)
        self._unsaid: list[str] = []
        self._seen: object = None
        self._revealed = 0

    def play(self) -> None:
        """Follow the match to its end; `Quit`, EOFError or KeyboardInterrupt leave it."""
        while self.match.result is None and not self.void:
            self._announce()
            self._go_on()
        if self.void:
            reason = VOID_REASON if self.place.snapshot.ready else CANCELLED_REASON
            self.screen.say("", *self.words.ended(reason, None, self.match.names))
        else:
            self.screen.say(*ending_lines(self.match))

    @property
    def void(self) -> bool:
        """Whether the match has ended for nobody."""
        return self.match.result is None and self.place.snapshot.void

    @property
    def asked(self) -> bool:
        """Whether the one at this keyboard is to pick."""
        return self.place.snapshot.must_pick

    def save(self, hidden: bool = True) -> None:
        """The server keeps the match."""

    def fileno(self) -> int:
        """What can be read from when there is news from the server."""
        return self.place.fileno()

    def due(self) -> float | None:
        """Seconds until there is something to say though nothing comes."""
        return self._notices.due()

    def rings(self) -> bool:
        """Take in what the server says; whether it must be told or done now."""
        self.place.process_messages()
        self._unsaid += self._notices.collect()
        return bool(self._unsaid) or self._situation() != self._seen

    def say_news(self) -> None:
        """Say what has happened around the match."""
        self.rings()
        self.screen.say(*self._unsaid)
        self._unsaid.clear()
        self._seen = self._situation()

    def send(self, action: Callable[[], None]) -> bool:
        """Do something on the server: again until it can be reached; whether it was granted."""
        again = retry_delays()
        while True:
            try:
                action()
                return True
            except RequestRefused as error:
                problem = str(error).rstrip(".")
                self.screen.say(f"The server says no: {problem}.")
                return False
            except ServerUnreachable:
                self.say_news()
                time.sleep(next(again))

    def _situation(self) -> object:
        """What decides on what is done here next."""
        now = self.place.snapshot
        return now.history, now.result, now.must_pick, now.revealing, now.rematch

    def _go_on(self) -> None:
        """Come one step nearer to how the match stands on the server, or wait until it moves."""
        self.say_news()
        now, own = self.place.snapshot, self.match.history
        agreed = next(
            rounds for rounds in range(len(own), -1, -1) if now.history[:rounds] == own[:rounds]
        )
        if agreed < len(own):
            self._step_back(agreed)
        elif agreed < len(now.history):
            self._follow(now.history[agreed])
        elif now.result is not None and not self.void:
            apply_result(self.match, now.result)
        elif now.must_pick and self.seat is not None:
            self._ask(self.seat)
        elif not self.void:
            self._wait()

    def _step_back(self, rounds: int) -> None:
        """Picks were taken back, here or in another window."""
        while len(self.match.history) > rounds:
            self.match.undo()
        self.screen.say("Taken back.")
        self.announce_again()

    def _follow(self, picks: Pair) -> None:
        self._notices.waits_no_more()
        before = self.match.state
        replay_round(self.match, picks)
        self._tell(before)

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

    def _take(self, seat: Seat, number: int) -> None:
        """A pick is judged here, and then sent."""
        self.match.check(seat, number)
        self.send(lambda: self.place.pick(self.match.round, number))

    def _wait(self) -> None:
        """Somebody else is to pick; commands are taken meanwhile."""
        self._notices.waits(self.match.round)
        now = self.place.snapshot
        if self.seat is not None and now.revealing and now.waiting[self.seat]:
            self._reveal()
        line = self.keyboard.overhear(self)
        if line and not self._asides.take(line, FIRST if self.seat is None else self.seat):
            awaited = self._notices.awaited()
            self.screen.say(f"There is nothing to choose now; it is up to {awaited}.")

    def _reveal(self) -> None:
        """Both have promised: the number is shown by itself, once a round."""
        if self._revealed == self.match.round or self.seat is None:
            return
        self._revealed = self.match.round
        promise = self.place.promise
        if not COMMITMENT.fullmatch(self.place.snapshot.commitments[other(self.seat)]):
            self.screen.say(
                "The server asks for your number before the other has promised one. It is not sent."
            )
        elif promise is None:
            self.screen.say(
                "The number you promised is not kept on this machine. Show it where you picked it, "
                "or resign."
            )
        else:
            self.send(lambda: self.place.reveal(promise))
