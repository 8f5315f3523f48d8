"""A table on a server: picks are requests, and what the server says is replayed by the rules here.

So the boards and the refusals are those of a table on this machine; the server adds seats, presence
and clocks.
"""

import select
import time
from collections.abc import Callable
from typing import Any

from evenodds.client.http_client import (
    InvalidResponse,
    RemoteError,
    RequestRefused,
    ServerUnreachable,
    retry_delays,
)
from evenodds.client.remote_match import RemoteMatch
from evenodds.client.snapshot import apply_result, replay_round
from evenodds.core.match import Match
from evenodds.core.notation.seals import COMMITMENT
from evenodds.core.vocabulary import SEAT_NAMES, SEATS, Pair, Seat, other
from evenodds.table.notices import MatchNotices
from evenodds.table.series import Series
from evenodds.table.table import (
    CLAIM,
    HINT,
    QUIT,
    RESIGN,
    UNDO,
    Ended,
    Refused,
    RoundPlayed,
    SessionOptions,
    Table,
    TakenBack,
    Work,
)


class RemoteTable(Table):
    """A match on a server, as a player or a spectator follows it."""

    def __init__(
        self, options: SessionOptions, remote: RemoteMatch, series: Series | None = None
    ) -> None:
        super().__init__(options, series)
        self.remote = remote
        now = remote.snapshot
        self.seat = now.seat
        self.match = Match(now.terms)
        try:
            for picks in now.history:
                replay_round(self.match, picks)
        except InvalidResponse:
            remote.close()
            raise
        self.people = () if self.seat is None else (self.seat,)
        self.actions = self._possible_actions()
        self.resumed = bool(now.history or now.view.result)
        self._notices = MatchNotices(remote, self.match)
        self._requests: list[Callable[[], None]] = []
        """What could not be sent yet. A retry is safe: a pick that arrives twice counts once."""
        self._delays, self._retry_at = retry_delays(), 0.0
        self._revealed = 0
        """The round of the last number that was revealed from here."""
        self._ended = self._wants_rematch = False
        self._woken = self._listening = self._left = False

    def _possible_actions(self) -> dict[str, str]:
        actions = {
            HINT: "what to pick here, and why",
            UNDO: "take back a pick, in games of turns if the other agrees",
            RESIGN: "give up this match",
            QUIT: "leave; the match stays on the server",
            CLAIM: "win, once the other was away for too long",
        }
        computers = any(self.match.terms.computers)
        if self.seat is None:
            return {QUIT: actions[QUIT]}
        if computers or self.remote.snapshot.view.clock:
            del actions[CLAIM]
        if not computers:
            del actions[HINT]
        return actions

    @property
    def asked(self) -> Seat | None:
        """The seat here, where its pick is missing and all that was played is shown."""
        now = self.remote.snapshot
        shown = self.match.history == now.history and now.view.result is None
        return self.seat if now.must_pick and shown and not self._requests else None

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats whose picks are missing, as the server says."""
        return tuple(seat for seat in SEATS if self.remote.snapshot.view.waiting[seat])

    @property
    def chosen(self) -> tuple[bool, bool]:
        """Which seats have a pick in this round, as the server says."""
        return self.remote.snapshot.view.chosen

    def start(self, work: Work) -> None:
        """Say which seat this is."""
        seat, names, kept = self.seat, self.match.names, self.remote.saved_seat
        self._tell(*filter(None, [kept.note]))
        if seat is None:
            self._tell("You are watching this match: both seats are taken.")
            return
        self._tell(f"You are {names[seat]}, opposite {names[other(seat)]}.")
        if kept.save_error:
            self._tell(f"Your seat cannot be saved: {kept.save_error}. You lose it when you leave.")

    def advance(self, source: Any = None) -> bool:
        """Listen to the server until something happens, or the file can be read."""
        self._listening = True
        try:
            return self._listen(source)
        finally:
            self._listening = False
            if self._left:
                self.remote.close()

    listen = advance

    def _listen(self, source: Any) -> bool:
        asked, rematch = self.asked, self.remote.snapshot.view.rematch
        sources = [self.remote, *([] if source is None else [source])]
        ready: list[Any] = []
        while not self._left:
            self._read_messages()
            self._send_requests()
            if asked is None and self.match.result is None:
                self._notices.start_waiting(self.match.round)
            self._tell(*self._notices.collect())
            stepped = self._step()
            changed = asked != self.asked or rematch != self.remote.snapshot.view.rematch
            if stepped or changed or self._events:
                return True
            if self._woken or source in ready:
                self._woken = False
                return False
            if not self._reveal():
                ready = select.select(sources, [], [], self._timeout_s())[0]
        return False

    def _timeout_s(self) -> float | None:
        """Seconds until a notice is due, or a request is sent again."""
        due = [self._notices.timeout_s()]
        if self._requests:
            due.append(max(0.0, self._retry_at - time.monotonic()))
        return min((seconds for seconds in due if seconds is not None), default=None)

    def _read_messages(self) -> None:
        try:
            self.remote.process_messages()
        except ServerUnreachable as error:
            raise RemoteError(f"{error}. Return with: {self._join_command}") from None

    def _step(self) -> bool:
        """Bring the match here one step nearer to the server's; whether there was one to make."""
        now, local = self.remote.snapshot, self.match.history
        common = next(
            rounds for rounds in range(len(local), -1, -1) if now.history[:rounds] == local[:rounds]
        )
        if common < len(local):
            while len(self.match.history) > common:
                self.match.undo()
            self._events.append(TakenBack())
        elif common < len(now.history):
            self._follow(now.history[common])
        elif now.view.result is not None and self.match.result is None:
            apply_result(self.match, now)
        elif self.match.result is None or self._ended:
            return False
        else:
            self._end()
        return True

    def _follow(self, picks: Pair) -> None:
        self._notices.stop_waiting()
        before = self.match.state
        replay_round(self.match, picks)
        self._events.append(RoundPlayed(before, picks, self.match.state))

    def _end(self) -> None:
        assert self.match.result is not None
        self._ended = True
        self._events.append(Ended())
        self.series.count(self.match.result, self.names)
        if self.options.record is not None:
            self._append_record(self._notation())

    def _notation(self) -> str:
        """The server's record with its seals; else that of the match here."""
        from evenodds.core import notation

        try:
            return self.remote.record(self.match)
        except InvalidResponse as error:
            self._tell(f"The match is recorded as it was seen here: {error}.")
        except RemoteError:
            pass
        return notation.write(self.match)

    def _request(self, action: Callable[[], None]) -> None:
        """Send a request, again and again until the server can be reached."""
        self._requests.append(action)
        self._send_requests()

    def _send_requests(self) -> None:
        while self._requests and time.monotonic() >= self._retry_at:
            try:
                self._requests[0]()
            except RequestRefused as error:
                self._tell(f"The server says no: {str(error).rstrip('.')}.")
            except ServerUnreachable:
                self._retry_at = time.monotonic() + next(self._delays)
                return
            self._requests.pop(0)
            self._delays = retry_delays()

    def pick(self, seat: Seat, number: int) -> None:
        """Check a pick here, then send it."""
        self.match.check(seat, number)
        round = self.match.round
        self._request(lambda: self.remote.pick(round, number))

    def _reveal(self) -> bool:
        """Reveal the committed number once both commitments are there, once a round."""
        now, round = self.remote.snapshot, self.match.round
        seat = self.seat
        if seat is None or not now.revealing or not now.view.waiting[seat]:
            return False
        if self._revealed == round or self._requests:
            return False
        self._revealed = round
        pick = self.remote.committed_pick
        promised = now.view.commitments[other(seat)]
        if not COMMITMENT.fullmatch(promised or ""):
            self._tell(
                "The server asks for your number before the other has promised one. It is not sent."
            )
        elif pick is None:
            self._tell(
                "The number you promised is not kept on this machine. Show it where you picked it, "
                "or resign."
            )
        else:
            self._request(lambda: self.remote.reveal(pick))
        return True

    def consenting(self, seat: Seat) -> Seat | None:
        """Nobody here: the server asks the other player."""
        return None

    def take_back(self, seat: Seat) -> None:
        """Agree to the request of the other, or take back a pick; a person is asked for it."""
        view, away, round = self.remote.snapshot.view, other(seat), self.match.round
        computer = self.match.terms.computer(away)

        def ask() -> None:
            self.remote.take_back(round)
            if not computer:
                self._tell(f"You ask {self.match.names[away]} to take back your last pick.")

        if view.takeback_asked == SEAT_NAMES[away]:
            self._request(lambda: self.remote.take_back(round, accept=True))
        elif view.takeback:
            self._request(ask)
        elif computer or not self.match.game.simultaneous:
            raise Refused("There is nothing to undo.")
        else:
            raise Refused("You can only undo against a computer.")

    def resign(self, seat: Seat) -> None:
        """Ask the server to end the match against this seat."""
        self._request(self.remote.resign)

    def claim(self) -> None:
        """Ask the server for the win over somebody who is away for too long."""
        self._request(self.remote.claim)

    def rematch(self) -> "RemoteTable | None":
        """Offer a rematch, or agree to one; to be called again after `advance` until it begins."""
        if self._wants_rematch and not self.remote.snapshot.view.rematch:
            return None
        try:
            following = self.remote.rematch()
        except (RequestRefused, ServerUnreachable) as error:
            self._wants_rematch = False
            raise Refused(f"There is no rematch: {error}.") from None
        if following is None:
            self._wants_rematch = True
            self._tell("Waiting for your opponent to accept.")
            return None
        self.leave()
        return RemoteTable(self.options, following, self.series)

    def wake(self) -> None:
        """Let `advance` return."""
        self._woken = True
        self.remote.wake()

    def leave(self) -> list[str]:
        """Leave; an open match stays on the server."""
        if self._left:
            return []
        self._left = True
        self.wake()
        if not self._listening:
            self.remote.close()
        if self.match.result:
            return []
        said = ["The match stays on the server. Return with:", self._join_command]
        if self.remote.snapshot.has_unrevealed_pick:
            said[:0] = [
                "Your number is promised, but not shown yet: for that you must be here when",
                "both have promised. Whoever has not shown theirs when the time is up loses.",
            ]
        return said

    @property
    def _join_command(self) -> str:
        return f"evenodds join {self.remote.address.link}"
