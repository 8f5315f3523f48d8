"""A remote match: its current state, and the actions of a seat or a spectator."""

import socket
import time
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from evenodds.client.address import Address, is_name
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
from evenodds.client.saved_seats import Promise, SavedSeat
from evenodds.client.snapshot import (
    MatchSnapshot,
    absence_in,
    check_promises,
    flags,
    left_in,
    parse_snapshot,
    text_in,
)
from evenodds.core import notation
from evenodds.core.match import Match
from evenodds.core.serialization import SEAT_NAMES
from evenodds.core.vocabulary import other


class RemoteMatch:
    """A seat, or a place to watch from. All its methods belong to one thread."""

    def __init__(self, client: Client, kept: SavedSeat, view: object) -> None:
        self.client = client
        self.address = client.address
        self.kept = kept
        self.standing: MatchSnapshot = self._believed(view)
        self.connected = self.standing.connected
        self.delay = self.standing.delay
        self.online = True
        """Whether the server was reached when it was last tried."""
        self.extensions = 0
        """How often time was given back."""
        self._heard_at = time.monotonic()
        self._news: SimpleQueue[StreamMessage] = SimpleQueue()
        self._near, self._far = socket.socketpair()
        for end in (self._near, self._far):
            end.setblocking(False)
        self._stream = EventStreamReader(client, self._ring)
        self._stream.start()

    def fileno(self) -> int:
        """What can be read from when there is news."""
        return self._near.fileno()

    def hear(self) -> None:
        """Take in all that has come; `RemoteError` when nothing more will."""
        with suppress(BlockingIOError):
            while self._near.recv(4096):
                pass
        with suppress(Empty):
            while True:
                self._take(self._news.get_nowait())

    @property
    def left(self) -> float | None:
        """Seconds that those who are waited for have now."""
        if self.standing.left is None:
            return None
        return max(0.0, self.standing.left - (time.monotonic() - self._heard_at))

    @property
    def absence(self) -> float | None:
        """Seconds that the other, who is away, has to come back before the win can be claimed."""
        seat = self.standing.seat
        left = None if seat is None else self.standing.absence[other(seat)]
        return None if left is None else max(0.0, left - (time.monotonic() - self._heard_at))

    def pick(self, round: int, number: int) -> None:
        """Pick a number; where picks are sealed, promise it."""
        body: dict[str, Any] = {"round": round}
        if self.standing.sealed:
            seat = SEAT_NAMES[self.standing.seat]
            assert seat is not None, "who watches does not pick"
            body["commitment"] = self.kept.promise(seat, round, number)
        else:
            body["number"] = number
        self._act("picks", body)

    @property
    def promise(self) -> Promise | None:
        """The number that this seat has promised, if it was promised from here."""
        seat = self.standing.seat
        return None if seat is None else self.kept.promises.get(self.standing.commitments[seat])

    def reveal(self, promise: Promise) -> None:
        """Show the number that was promised; what both have promised is kept first."""
        self.kept.witness(promise.round, self.standing.commitments)
        self._act("reveals", promise._asdict())

    def resign(self) -> None:
        """Give the match up."""
        self._act("resignation", {})

    def claim(self) -> None:
        """Win against somebody who was away for too long."""
        self._act("claim", {})

    def take_back(self, round: int) -> None:
        """Go back to one's own last pick, against a computer."""
        self._act("takeback", {"round": round})

    def rematch(self) -> "RemoteMatch | None":
        """Ask for another match; one's place there once both have."""
        answer = self.client.post(f"{self.address.api}/rematch", {})
        match answer:
            case {"match": str(id), "token": str(token)} if is_name(id) and is_name(token):
                return _seated(self.address._replace(match=id, invitation=""), token)
            case {"match": None}:
                return None
        raise InvalidResponse("the server does not say what becomes of the rematch")

    def record(self, match: Match) -> str:
        """What has been played, in notation, as the server wrote it down.

        `InvalidResponse` where that is not what was played and promised here.
        """
        text = self.client.text(f"{self.address.api}/record")
        wrong = InvalidResponse("the server's record is not what was played and promised here")
        try:
            (found,) = notation.verify_all(text)
        except ValueError:
            raise wrong from None
        promised = dict(enumerate(found.promised, 1))
        kept = all(promised.get(each) == made for each, made in self.kept.witnessed.items())
        if found.match.history != match.history or not kept:
            raise wrong
        return text

    def close(self) -> None:
        """Listen no more; the match goes on waiting."""
        self._stream.stop()
        self._near.close()
        self._far.close()

    def _act(self, what: str, body: dict[str, Any]) -> None:
        """Do something; how the match stands afterwards is known, even if it was refused."""
        try:
            view = self.client.post(f"{self.address.api}/{what}", body)
        except ServerUnreachable:
            self.online = False
            raise
        except RequestRefused as error:
            self._learn(error.body.get("view") or self.client.get(self.address.api))
            raise
        self._learn(view)

    def _learn(self, view: object) -> None:
        known = self._believed(view)
        self.online = True
        if known.seq >= self.standing.seq:
            self.standing = known
            self.connected = known.connected
            self.delay = known.delay
            self._heard_at = time.monotonic()

    def _believed(self, view: object) -> MatchSnapshot:
        """How a match stands, unless its last round is not what was promised: `InvalidResponse`."""
        known = parse_snapshot(view)
        promised = self.kept.witnessed.get(len(known.history))
        check_promises(known, self.address.match, promised)
        return known

    def _set_clock(self, left: float | None) -> None:
        """Take in what is left of the time: more than before where the server was away."""
        before = self.left
        if before is not None and left is not None and left > before + 1:
            self.extensions += 1
        self.standing = self.standing._replace(left=left)
        self._heard_at = time.monotonic()

    def _take(self, news: StreamMessage) -> None:
        match news:
            case ServerEvent("view", data):
                self._learn(data)
            case ServerEvent("presence", {"connected": connected} as there):
                self.connected = flags(connected)
                self.delay = text_in(there, "delay")
                self._set_clock(left_in(there))
                self.standing = self.standing._replace(absence=absence_in(there))
            case StreamConnected():
                self.online = True
            case StreamDisconnected():
                self.online = False
            case StreamFailed(trouble):
                raise trouble

    def _ring(self, news: StreamMessage) -> None:
        """Called by the stream, from a thread of its own."""
        self._news.put(news)
        with suppress(OSError):  # enough rings already, or nobody listens any more
            self._far.send(b".")


def connect_to_match(address: Address, name: str) -> RemoteMatch:
    """Take one's place: the seat kept from before, the one invited to, one that is free, or none.

    `RemoteError` says in one line why there is none to be had, not even to watch.
    """
    kept = SavedSeat(address)
    if kept.token:
        return _placed(kept)
    if address.invitation:
        return _taken(kept, {"invitation": address.invitation, "name": name})
    watcher = Client(address)
    view = watcher.get(address.api)
    ready = parse_snapshot(view).ready
    if kept.key or not ready:
        try:
            return _taken(kept, {"match": address.match, "name": name})
        except RequestRefused as error:
            if error.status != 403:
                raise
        if not ready:
            raise RemoteError("this match waits for somebody who is invited; ask for a link")
    return RemoteMatch(watcher, kept, view)


def _taken(kept: SavedSeat, body: dict[str, Any]) -> RemoteMatch:
    """A seat that is free, taken and kept; or the one that was taken when the answer was lost."""
    try:
        answer = Client(kept.address).post("/api/join", body | {"key": kept.new_key()})
    except RequestRefused as error:
        if error.status == 403:  # somebody else has it, and the key is good for nothing
            kept.drop_key()
        raise
    match answer:
        case {"match": str(id), "token": str(token)} if id == kept.address.match and is_name(token):
            kept.keep(token)
            return _placed(kept)
        case {"match": str()}:
            raise InvalidResponse("the invitation is for another match")
    raise InvalidResponse("the server does not say which seat is ours")


def _seated(address: Address, token: str) -> RemoteMatch:
    kept = SavedSeat(address)
    kept.keep(token)
    return _placed(kept)


def _placed(kept: SavedSeat) -> RemoteMatch:
    client = Client(kept.address, kept.token)
    return RemoteMatch(client, kept, client.get(kept.address.api))
