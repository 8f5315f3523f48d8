"""A remote match: its current state, and the actions of a seat or a spectator."""

import socket
import time
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Final

from msgspec import Struct

from evenodds.client.address import Address, is_identifier
from evenodds.client.event_stream import (
    EventStreamReader,
    ServerEvent,
    StreamConnected,
    StreamDisconnected,
    StreamFailed,
    StreamMessage,
)
from evenodds.client.http_client import (
    Client,
    InvalidResponse,
    RemoteError,
    RequestRefused,
    ServerUnreachable,
)
from evenodds.client.saved_seats import CommittedPick, SavedSeat
from evenodds.client.snapshot import MatchSnapshot, check_commitments, decode, parse_snapshot
from evenodds.core.match import Match
from evenodds.core.notation.verify import verify_all
from evenodds.core.vocabulary import other
from evenodds.protocol.messages import (
    NEW_TOKEN,
    GrantedSeat,
    JoinRequest,
    PickRequest,
    Presence,
    Rematch,
    RevealRequest,
    TakeBackRequest,
)

MAX_TIME_LEFT_S: Final = 1e6
"""Upper bound of a time left; a wrong clock on the server must not overflow the countdown."""


class RemoteMatch:
    """A match on a server, as a player or a spectator follows it.

    All methods belong to one thread, except `wake` and `_enqueue`, which the stream's thread calls:
    it passes messages through a queue and wakes a `select` by a byte through a socket pair.
    """

    def __init__(self, client: Client, saved_seat: SavedSeat, view: object) -> None:
        self.client = client
        self.address = client.address
        self.saved_seat = saved_seat
        self.snapshot: MatchSnapshot = self._verified(view)
        self.presence: Presence = self.snapshot.view
        """The last presence: that of the last view, unless one came after it."""
        self.online = True
        """Whether the last request, or the stream, reached the server."""
        self.extensions = 0
        """How often the server extended a deadline, after an outage."""
        self._updated_at = time.monotonic()
        self._messages: SimpleQueue[StreamMessage] = SimpleQueue()
        self._wake_reader, self._wake_writer = socket.socketpair()
        for end in (self._wake_reader, self._wake_writer):
            end.setblocking(False)
        self._stream = EventStreamReader(client, self._enqueue)
        self._stream.start()

    def fileno(self) -> int:
        """A descriptor that is readable when messages wait."""
        return self._wake_reader.fileno()

    def process_messages(self) -> None:
        """Handle the waiting messages; `RemoteError` when the stream has failed for good."""
        # Drain the socket before the queue: a message between the two then leaves a byte behind.
        with suppress(BlockingIOError):
            while self._wake_reader.recv(4096):
                pass
        with suppress(Empty):
            while True:
                self._handle(self._messages.get_nowait())

    @property
    def time_left_s(self) -> float | None:
        """Seconds left now to the seats that are waited for."""
        return self._seconds_until(self.presence.deadline)

    @property
    def absence_left_s(self) -> float | None:
        """Seconds until the absence of the other player allows a claim."""
        seat = self.snapshot.seat
        return None if seat is None else self._seconds_until(self.presence.absence[other(seat)])

    def pick(self, round: int, number: int) -> None:
        """Pick a number; where picks are sealed, commit to it."""
        request = PickRequest(round, number)
        if self.snapshot.view.sealed:
            seat = self.snapshot.view.seat
            assert seat is not None, "who watches does not pick"
            commitment = self.saved_seat.commit(seat, round, number)
            request = PickRequest(round, commitment=commitment)
        self._act("picks", request)

    @property
    def committed_pick(self) -> CommittedPick | None:
        """The pick that this seat has committed to, if it did so on this machine."""
        seat, commitments = self.snapshot.seat, self.snapshot.view.commitments
        return (
            None if seat is None else self.saved_seat.committed_picks.get(commitments[seat] or "")
        )

    def reveal(self, pick: CommittedPick) -> None:
        """Reveal the committed number; the commitments of both seats are saved first."""
        one, two = self.snapshot.view.commitments
        self.saved_seat.record_commitments(pick.round, (one or "", two or ""))
        self._act("reveals", RevealRequest(*pick))

    def resign(self) -> None:
        """Resign the match."""
        self._act("resignation")

    def claim(self) -> None:
        """Claim the win over a player absent for too long."""
        self._act("claim")

    def take_back(self, round: int, accept: bool | None = None) -> None:
        """Take back the own last pick and all after it; of a person it is asked, or granted."""
        self._act("takeback", TakeBackRequest(round, accept))

    def rematch(self) -> "RemoteMatch | None":
        """Offer a rematch or agree to one; the new match once both have."""
        answer = decode(self.client.post(f"{self.address.api_path}/rematch"), Rematch)
        id, token = answer.match, answer.token
        if id is None:
            return None
        if token is None or not (is_identifier(id) and is_identifier(token)):
            raise InvalidResponse("the server does not say what becomes of the rematch")
        return _save_and_open(self.address._replace(match=id, invitation=""), token)

    def record(self, match: Match) -> str:
        """The server's record of the match, in notation.

        `InvalidResponse` where it differs from the match or from the saved commitments.
        """
        text = self.client.text(f"{self.address.api_path}/record")
        wrong = InvalidResponse("the server's record is not what was played and promised here")
        try:
            (found,) = verify_all(text)
        except ValueError:
            raise wrong from None
        committed = dict(enumerate(found.commitments, 1))
        recorded = self.saved_seat.recorded_commitments
        agrees = all(committed.get(round) == both for round, both in recorded.items())
        if found.match.history != match.history or not agrees:
            raise wrong
        return text

    def close(self) -> None:
        """Stop the stream; the match stays open on the server."""
        self._stream.stop()
        self._wake_reader.close()
        self._wake_writer.close()

    def _act(self, what: str, body: Struct | None = None) -> None:
        """Post an action; the snapshot is up to date afterwards, even if it was refused."""
        try:
            view = self.client.post(f"{self.address.api_path}/{what}", body)
        except ServerUnreachable:
            self.online = False
            raise
        except RequestRefused as error:
            self._update(error.body.get("view") or self.client.get(self.address.api_path))
            raise
        self._update(view)

    def _update(self, view: object) -> None:
        known = self._verified(view)
        self.online = True
        if known.view.seq >= self.snapshot.view.seq:  # else the stream overtook the response
            self.snapshot = known
            self._set_presence(known.view)

    def _verified(self, view: object) -> MatchSnapshot:
        """A snapshot whose last round agrees with its commitments, else `InvalidResponse`."""
        known = parse_snapshot(view)
        committed = self.saved_seat.recorded_commitments.get(len(known.history))
        check_commitments(known, self.address.match, committed)
        return known

    def _set_presence(self, presence: Presence) -> None:
        self.presence = presence
        self._updated_at = time.monotonic()

    def _seconds_until(self, deadline: float | None) -> float | None:
        """Seconds until a deadline, by the server's clock: that of this machine may be wrong."""
        if deadline is None:
            return None
        left = min(deadline - self.presence.now, MAX_TIME_LEFT_S)
        return max(0.0, left - (time.monotonic() - self._updated_at))

    def _handle(self, message: StreamMessage) -> None:
        match message:
            case ServerEvent("view", data):
                self._update(data)
            case ServerEvent("presence", data):
                before = self.time_left_s
                self._set_presence(decode(data, Presence))
                left = self.time_left_s
                if before is not None and left is not None and left > before + 1:  # not rounding
                    self.extensions += 1
            case StreamConnected():
                self.online = True
            case StreamDisconnected():
                self.online = False
            case StreamFailed(error):
                raise error

    def _enqueue(self, message: StreamMessage) -> None:
        """Called from the stream's thread."""
        self._messages.put(message)
        self.wake()

    def wake(self) -> None:
        """Make `fileno()` readable; any thread may call it."""
        with suppress(OSError):  # the socket is full, so a wake-up is pending, or it is closed
            self._wake_writer.send(b".")


def connect_to_match(address: Address, name: str) -> RemoteMatch:
    """Open a match: with the saved seat, by invitation, in a free seat, or as a spectator.

    `RemoteError` where none of these is possible.
    """
    saved_seat = SavedSeat(address)
    if saved_seat.token:
        return _open_seat(saved_seat)
    if address.invitation:
        return _join(saved_seat, JoinRequest(invitation=address.invitation, name=name))
    watcher = Client(address)
    view = watcher.get(address.api_path)
    ready = parse_snapshot(view).ready
    if saved_seat.key or not ready:
        try:
            return _join(saved_seat, JoinRequest(match=address.match, name=name))
        except RequestRefused as error:
            if error.status != 403:
                raise
        if not ready:
            raise RemoteError("this match is by invitation; ask for a link")
    return RemoteMatch(watcher, saved_seat, view)


def _join(saved_seat: SavedSeat, request: JoinRequest) -> RemoteMatch:
    """Take a seat and save it; the saved key returns the same seat if a response was lost."""
    request.key = saved_seat.new_key()
    try:
        answer = Client(saved_seat.address, NEW_TOKEN).post("/api/join", request)
    except RequestRefused as error:
        if error.status == 403:  # the seat is taken: this key will never be granted one
            saved_seat.drop_key()
        raise
    granted = decode(answer, GrantedSeat)
    if granted.match != saved_seat.address.match:
        raise InvalidResponse("the invitation is for another match")
    if granted.token is None or not is_identifier(granted.token):
        raise InvalidResponse("the server does not say which seat is ours")
    saved_seat.save_token(granted.token)
    return _open_seat(saved_seat)


def _save_and_open(address: Address, token: str) -> RemoteMatch:
    saved_seat = SavedSeat(address)
    saved_seat.save_token(token)
    return _open_seat(saved_seat)


def _open_seat(saved_seat: SavedSeat) -> RemoteMatch:
    client = Client(saved_seat.address, saved_seat.token)
    return RemoteMatch(client, saved_seat, client.get(saved_seat.address.api_path))
