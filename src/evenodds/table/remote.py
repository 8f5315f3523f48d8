"""A table on a server: picks are requests, and what the server says is replayed by the rules here.

So the boards and the refusals are those of a table on this machine; the server adds seats, presence
and clocks.
"""

import select
import time
from typing import Any, Final

from msgspec import Struct

from evenodds.client.http_client import (
    InvalidResponse,
    RemoteError,
    RequestRefused,
    ServerUnreachable,
    retry_delays,
)
from evenodds.client.remote_match import RemoteMatch
from evenodds.client.snapshot import apply_result, new_match, replay_round
from evenodds.core.match import Match
from evenodds.core.notation.seals import COMMITMENT
from evenodds.core.vocabulary import SEAT_NAMES, SEATS, Seat, other
from evenodds.protocol.messages import PickRequest, RevealRequest, TakeBackRequest
from evenodds.system import Progress
from evenodds.table.notices import MatchNotices
from evenodds.table.table import Action, Refused, Series, SessionOptions, Table, TakenBack

SEND_LINK: Final = (
    "Send this link to your opponent, who opens it in a browser, or types: evenodds join LINK"
)


class RemoteTable(Table):
    """A match on a server, as a player or a spectator follows it."""

    def __init__(
        self, options: SessionOptions, remote: RemoteMatch, series: Series | None = None
    ) -> None:
        now = remote.snapshot
        people = () if now.seat is None else (now.seat,)
        super().__init__(options, Match(now.terms), people, series)
        self.remote = remote
        self.seat = now.seat
        try:
            self.match = new_match(now)
            for picks, drawn in now.rounds:
                replay_round(self.match, picks, drawn)
        except InvalidResponse:
            remote.close()
            raise
        possible = {Action.QUIT}
        if self.seat is not None:
            helps = Action.HINT if any(now.terms.computers) else Action.CLAIM
            possible |= {Action.UNDO, Action.RESIGN, helps}
        if now.view.clock:
            possible -= {Action.CLAIM}
        self.actions = tuple(word for word in Action if word in possible)
        self.resumed = bool(now.history or now.view.result)
        self._notices = MatchNotices(remote)
        self._requests: list[tuple[str, Struct | None, tuple[str, ...]]] = []
        """What is not sent yet, and what is told then. A pick that arrives twice counts once."""
        self._delays, self._retry_at = retry_delays(), 0.0
        self._revealed = 0
        """The round of the last number that was revealed from here."""
        self._ended = self._wants_rematch = self._woken = self._listening = self._left = False
        self._join_command = f"evenodds join {remote.address.link}"

    @property
    def asked(self) -> Seat | None:
        """The seat here, where its pick is missing and all that was played is shown."""
        now = self.remote.snapshot
        shown = self.match.history == now.history and now.view.result is None
        return super().asked if shown and not now.revealing and not self._requests else None

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats whose picks are missing, as the server says."""
        return tuple(seat for seat in SEATS if self.remote.snapshot.view.waiting[seat])

    @property
    def chosen(self) -> tuple[bool, bool]:
        """Which seats have a pick in this round, as the server says."""
        return self.remote.snapshot.view.chosen

    def start(self, progress: Progress) -> None:
        """Say which seat this is."""
        seat, names, kept = self.seat, self.match.names, self.remote.saved_seat
        self._tell(*filter(None, [kept.note]))
        if self.match.game.chance and (dice := self.remote.snapshot.view.dice):
            self._tell("All draws follow from a seed that is shown at the end. Its SHA-256:", dice)
        elif self.match.game.chance:
            self._tell("The server has promised no seed: nobody can check its draws.")
        if seat is None:
            self._tell("You are watching this match: both seats are taken.")
            return
        self._tell(f"You are {names[seat]}, opposite {names[other(seat)]}.")
        if kept.save_error:
            self._tell(f"Your seat cannot be saved: {kept.save_error}. You lose it when you leave.")
        self._tell(*self._invitation)

    @property
    def _invitation(self) -> list[str]:
        """How to invite the other player, as long as nobody has come."""
        kept, link = self.remote.saved_seat.file, self.remote.address.link
        missing = kept.invitation and not self.remote.snapshot.ready
        return [SEND_LINK, f"{link}#{kept.invitation}"] if missing else []

    def advance(self, source: Any = None) -> bool:
        """Listen to the server until something happens, or the file can be read."""
        self._listening = True
        try:
            return self._listen(source)
        except ServerUnreachable as error:
            raise RemoteError(f"{error}. Return with: {self._join_command}") from None
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
            self.remote.process_messages()
            self._send_requests()
            waits = asked is None and self.match.result is None
            self._tell(*self._notices.collect(self.match.round if waits else None))
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
        retry_s = self._retry_at - time.monotonic() if self._requests else None
        due = [left for left in (self._notices.timeout_s, retry_s) if left is not None]
        return max(0.0, min(due)) if due else None

    def _step(self) -> bool:
        """Bring the match here one step nearer to the server's; whether there was one to make."""
        now, local = self.remote.snapshot, self.match.rounds
        common = next(
            rounds for rounds in range(len(local), -1, -1) if now.rounds[:rounds] == local[:rounds]
        )
        if not local and now.terms.players != self.match.terms.players:  # somebody has joined
            self.match = new_match(now)
        elif common < len(local):
            while len(self.match.history) > common:
                self.match.undo()
            self._events.append(TakenBack())
        elif common < len(now.rounds):
            replay_round(self.match, *now.rounds[common])
            self._tell_round()
        elif now.view.result is not None and self.match.result is None:
            apply_result(self.match, now)
        elif self.match.result is None or self._ended:
            return False
        else:
            self._ended = True
            self._conclude()
        return True

    def _notation(self) -> str:
        """The server's record with its seals; else that of the match here."""
        try:
            return self.remote.record(self.match)
        except InvalidResponse as error:
            self._tell(f"The match is recorded as it was seen here: {error}.")
        except RemoteError:
            pass
        return super()._notation()

    def _request(self, what: str, body: Struct | None = None, *done: str) -> None:
        """Send a request, again and again until the server can be reached."""
        self._requests.append((what, body, done))
        self._send_requests()

    def _send_requests(self) -> None:
        while self._requests and time.monotonic() >= self._retry_at:
            what, body, done = self._requests[0]
            try:
                self.remote.act(what, body)
                self._tell(*done)
            except RequestRefused as error:
                self._tell(f"The server says no: {str(error).rstrip('.')}.")
            except ServerUnreachable:
                self._retry_at = time.monotonic() + next(self._delays)
                return
            self._requests.pop(0)
            self._delays = retry_delays()

    def pick(self, seat: Seat, number: int) -> None:
        """Check a pick here, then send it; where picks are sealed, a commitment to it."""
        self.match.check(seat, number)
        round = self.match.round
        request = PickRequest(round, number)
        if self.remote.snapshot.view.sealed:
            made = self.remote.saved_seat.commit(str(SEAT_NAMES[seat]), round, number)
            request = PickRequest(round, commitment=made)
        self._request("picks", request)

    def _reveal(self) -> bool:
        """Reveal the committed number once both commitments are there, once a round."""
        now, round, seat = self.remote.snapshot, self.match.round, self.seat
        due = now.revealing and self._revealed != round and not self._requests
        if seat is None or not (due and now.view.waiting[seat]):
            return False
        self._revealed = round
        kept, promised = self.remote.saved_seat, now.view.commitments
        pick = kept.file.committed_picks.get(promised[seat] or "")
        if not COMMITMENT.fullmatch(promised[other(seat)] or ""):
            self._tell(
                "The server asks for your number before the other has promised one. It is not sent."
            )
        elif pick is None:
            self._tell(
                "The number you promised is not kept on this machine. Show it where you picked it, "
                "or resign."
            )
        else:
            kept.record_commitments(pick.round, (promised[0] or "", promised[1] or ""))
            self._request("reveals", RevealRequest(*pick))
        return True

    def take_back(self, seat: Seat) -> None:
        """Agree to the request of the other, or take back a pick; a person is asked for it."""
        view, away = self.remote.snapshot.view, other(seat)
        computer = self.match.terms.computer(away)
        if view.takeback_asked == SEAT_NAMES[away]:
            self._request("takeback", TakeBackRequest(self.match.round, accept=True))
        elif view.takeback:
            asked = [f"You ask {self.names.inside(away)} to take back your last pick."]
            done = [] if computer else asked
            self._request("takeback", TakeBackRequest(self.match.round), *done)
        elif computer or not self.match.game.simultaneous:
            raise Refused("There is nothing to undo.")
        else:
            raise Refused("You can only undo against a computer.")

    def resign(self, seat: Seat) -> None:
        """Ask the server to end the match against this seat."""
        self._request("resignation")

    def claim(self) -> None:
        """Ask the server for the win over somebody who is away for too long."""
        self._request("claim")

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
        said = [*self._invitation, "The match stays on the server. Return with:"]
        said.append(self._join_command)
        if self.remote.snapshot.has_unrevealed_pick:
            said[:0] = [
                "Your number is promised, but not shown yet: for that you must be here when",
                "both have promised. Whoever has not shown theirs when the time is up loses.",
            ]
        return said
