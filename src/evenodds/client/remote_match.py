"""A remote match: how it is opened or joined, its current state, and requests of a seat."""

import socket
import time
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final

from httpx_sse import ServerSentEvent
from msgspec import Struct
from msgspec.structs import asdict, replace

from evenodds.client.address import Address, address, is_identifier
from evenodds.client.event_stream import EventStreamReader, StreamConnected, StreamMessage
from evenodds.client.http_client import (
    Client,
    InvalidResponse,
    RemoteError,
    RequestRefused,
    ServerUnreachable,
    parse_json,
)
from evenodds.client.saved_seats import SavedSeat
from evenodds.client.snapshot import (
    NO_PROMISE,
    MatchSnapshot,
    check_commitments,
    check_dice,
    decode,
    parse_snapshot,
)
from evenodds.core.match import Match
from evenodds.core.notation.verify import verify_all
from evenodds.core.rulings import as_data
from evenodds.core.terms import DEFAULT_REPETITION, Terms, repetition_rule
from evenodds.core.vocabulary import other
from evenodds.protocol.messages import (
    NEW_TOKEN,
    GrantedSeat,
    JoinRequest,
    OpenMatchRequest,
    Presence,
    Rematch,
)
from evenodds.system.http_request import leave_signals_to_main_thread

UNREADABLE: Final = "the server sent something that cannot be read"
NO_SEAT: Final = "the server does not say which seat is ours"
MAX_TIME_LEFT_S: Final = 1e6
"""Upper bound of a time left; a wrong clock on the server must not overflow the countdown."""


class RemoteMatch:
    """A match on a server, as the holder of a saved seat or a spectator follows it.

    All methods belong to one thread, except `wake` and `_read_stream`, which is the stream's: it
    passes messages through a queue and wakes a `select` by a byte through a socket pair.
    """

    def __init__(self, saved_seat: SavedSeat) -> None:
        self.address = saved_seat.address
        self.saved_seat = saved_seat
        self.client = Client(self.address, saved_seat.file.token)
        self._follow(self._verified(self.client.get(self.address.api_path)))
        self.online = True
        """Whether the last request, or the stream, reached the server."""
        self.extensions = 0
        """How often the server extended a deadline, after an outage."""
        self._messages: SimpleQueue[StreamMessage] = SimpleQueue()
        self._wake_reader, self._wake_writer = socket.socketpair()
        for end in (self._wake_reader, self._wake_writer):
            end.setblocking(False)
        self._stream = EventStreamReader(self.client)
        Thread(target=self._read_stream, name="stream", daemon=True).start()

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
        return self._seconds_until(self.snapshot.view.deadline)

    @property
    def absence_left_s(self) -> float | None:
        """Seconds until the absence of the other player allows a claim."""
        view, seat = self.snapshot.view, self.snapshot.seat
        return None if seat is None else self._seconds_until(view.absence[other(seat)])

    def act(self, what: str, body: Struct | None = None) -> None:
        """Post an action; the snapshot is up to date afterwards, even if it was refused."""
        try:
            self._update(self.client.post(f"{self.address.api_path}/{what}", body))
        except ServerUnreachable:
            self.online = False
            raise
        except RequestRefused as error:
            self._update(error.view or self.client.get(self.address.api_path))
            raise

    def rematch(self) -> "RemoteMatch | None":
        """Offer a rematch or agree to one; the new match once both have."""
        answer = decode(self.client.post(f"{self.address.api_path}/rematch"), Rematch)
        if answer.match is None:
            return None
        if not (is_identifier(answer.match) and is_identifier(answer.token)):
            raise InvalidResponse("the server does not say what becomes of the rematch")
        saved_seat = SavedSeat(self.address._replace(match=answer.match, invitation=""))
        saved_seat.save_token(answer.token)
        return RemoteMatch(saved_seat)

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
        recorded = self.saved_seat.file.recorded_commitments
        played = found.match.history, found.match.draws, found.dice and found.dice.commitment
        shown = match.history, match.draws, self.snapshot.view.dice
        if played != shown or not recorded.items() <= committed.items():
            raise wrong
        return text

    def close(self) -> None:
        """Stop the stream; the match stays open on the server."""
        self._stream.stop()
        self._wake_reader.close()
        self._wake_writer.close()

    def _update(self, view: object) -> None:
        known = self._verified(view)
        self.online = True
        if known.view.seq >= self.snapshot.view.seq:  # else the stream overtook the response
            self._follow(known)

    def _verified(self, view: object) -> MatchSnapshot:
        """A snapshot whose last round agrees with its commitments, else `InvalidResponse`."""
        known = parse_snapshot(view)
        recorded = self.saved_seat.file.recorded_commitments.get(len(known.history))
        check_commitments(known, self.address.match, recorded)
        dice = (known.view.dice or NO_PROMISE) if known.terms.game.chance else ""
        check_dice(known, self.address.match, self.saved_seat.first_dice(dice))
        return known

    def _follow(self, snapshot: MatchSnapshot) -> None:
        self.snapshot = snapshot
        self._updated_at = time.monotonic()

    def _seconds_until(self, deadline: float | None) -> float | None:
        """Seconds until a deadline, by the server's clock: that of this machine may be wrong."""
        if deadline is None:
            return None
        left = min(deadline - self.snapshot.view.now, MAX_TIME_LEFT_S)
        return max(0.0, left - (time.monotonic() - self._updated_at))

    def _handle(self, message: StreamMessage) -> None:
        match message:
            case ServerSentEvent(event="view"):
                self._update(parse_json(message.data, UNREADABLE))
            case ServerSentEvent():
                before = self.time_left_s
                presence = asdict(decode(parse_json(message.data, UNREADABLE), Presence))
                self._follow(self.snapshot._replace(view=replace(self.snapshot.view, **presence)))
                if before is not None and (self.time_left_s or 0) > before + 1:  # not rounding
                    self.extensions += 1
            case StreamConnected(online):
                self.online = online
            case RemoteError():
                raise message

    def _read_stream(self) -> None:
        """What the stream's thread does."""
        leave_signals_to_main_thread()
        for message in self._stream.messages():
            self._messages.put(message)
            self.wake()

    def wake(self) -> None:
        """Make `fileno()` readable; any thread may call it."""
        with suppress(OSError):  # the socket is full, so a wake-up is pending, or it is closed
            self._wake_writer.send(b".")


def open_match(server: Address, terms: Terms, name: str) -> Address:
    """Open a match, and save its seat; the address with the invitation, which is to be sent."""
    if terms.repetition != DEFAULT_REPETITION:
        rule = repetition_rule(DEFAULT_REPETITION)
        raise RemoteError(f"--repetition is for matches on this machine; on a server: {rule}")
    request = OpenMatchRequest(
        terms.game.name, rulings=as_data(terms.rulings), name=name, first=terms.first
    )
    granted = decode(Client(server, NEW_TOKEN).post("/api/matches", request), GrantedSeat)
    if not (is_identifier(granted.token) and granted.invitation):
        raise InvalidResponse(NO_SEAT)
    opened = address(f"{server.origin}/match/{granted.match}#{granted.invitation}")
    SavedSeat(opened).save_token(granted.token)
    return opened


def connect_to_match(where: Address, name: str) -> RemoteMatch:
    """Open a match: with the saved seat, by invitation, in a free seat, or as a spectator.

    `RemoteError` where none of these is possible.
    """
    saved_seat = SavedSeat(where)
    if saved_seat.file.token:
        return RemoteMatch(saved_seat)
    if where.invitation:
        return _join(saved_seat, JoinRequest(invitation=where.invitation, name=name))
    ready = parse_snapshot(Client(where).get(where.api_path)).ready
    if saved_seat.file.key or not ready:
        try:
            return _join(saved_seat, JoinRequest(match=where.match, name=name))
        except RequestRefused as error:
            if error.status != 403:
                raise
        if not ready:
            raise RemoteError("this match is by invitation; ask for a link")
    return RemoteMatch(saved_seat)


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
    if not is_identifier(granted.token):
        raise InvalidResponse(NO_SEAT)
    saved_seat.save_token(granted.token)
    return RemoteMatch(saved_seat)
