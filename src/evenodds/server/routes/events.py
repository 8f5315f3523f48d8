"""The event stream of a match: views and presence as server-sent events."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, cast

from litestar import MediaType, get
from litestar.openapi import ResponseSpec
from litestar.params import HeaderParameter
from litestar.types import ASGIApp, Receive, Scope, Send
from msgspec.structs import replace

from evenodds.core.vocabulary import Seat
from evenodds.protocol.messages import MatchView, Presence
from evenodds.server.http.problems import PROBLEMS
from evenodds.server.http.request import SEAT_OPTIONAL, HttpRequest, renewed_cookies, visitor
from evenodds.server.http.security import address_of
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.matches.match_session import MatchSession
from evenodds.server.matches.views import ENCODER, encode_match_view, presence
from evenodds.server.rate_limits import LimitReached
from evenodds.system.text import parse_whole

KEEPALIVE_INTERVAL_S: Final = 15.0
"""Seconds after which a comment keeps the connection alive, where there is no event to tell."""
OWN_PICK_DELAY_S: Final = 0.3
"""Seconds until a seat's stream tells its own pick, which the response to it has told: if the round
is complete by then, one event tells both."""
KEEPALIVE: Final = b": still here\n\n"
STREAM_HEADERS: Final = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"connection", b"close"),  # a stream that gives way to others leaves no connection behind
]
EVENT_STREAM_SPEC: Final = ResponseSpec(
    cast(Any, MatchView | Presence),
    description="Server-sent events: `view` with how the match stands, whose id is its `seq`, "
    "and `presence` when no more has changed than who is there, or until when they may come.",
    media_type=cast(MediaType, "text/event-stream"),
    generate_examples=False,
)
LastEventId = Annotated[
    str | None,
    HeaderParameter(
        name="Last-Event-ID",
        description="The id of the last `view` that was heard; it is not told again.",
    ),
]


@get(
    "/api/matches/{id:str}/events",
    responses=PROBLEMS | {200: EVENT_STREAM_SPEC},
    security=SEAT_OPTIONAL,
)
async def events(
    id: str, request: HttpRequest, registry: MatchRegistry, last_id: LastEventId = None
) -> ASGIApp:
    """The view of the match as server-sent events: now, and after every change.

    A seat hears of its own pick within 0.3 seconds, since the response has told it already.
    """
    session, seat = await visitor(request.scope, id, registry)
    last_seq = parse_whole(last_id or "")
    address = address_of(request.scope)
    if registry.limits.streams.refuse(address):
        raise LimitReached("too many streams are open; close one and try again")
    cookies = [each.to_encoded_header() for each in renewed_cookies(request, session.state)]
    return EventStreamResponse(registry, session, seat, address, last_seq, cookies)


@dataclass(eq=False)
class EventStreamResponse:
    """An ASGI response that streams events until the client or the server ends it.

    A change wakes the task of the request, which sends the latest view as soon as the client reads.
    """

    registry: MatchRegistry
    session: MatchSession
    seat: Seat | None
    address: str
    last_seq: int | None
    """The number of the last event that the client was told of."""
    cookies: list[tuple[bytes, bytes]]
    _sent_presence: Presence | None = None
    _woken: asyncio.Event = field(default_factory=asyncio.Event)
    """Set where the task of the request has something to do."""
    _is_quiet: bool = False
    """Whether the connection must be kept alive, if only by a comment."""
    _is_over: bool = False
    """Whether the client is gone, or the stream gives way to another."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        headers = [*STREAM_HEADERS, *self.cookies]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        # The first view may be a while: whoever has heard the last one waits for the next.
        await send({"type": "http.response.body", "body": b"", "more_body": True})
        listening = asyncio.create_task(self._listen(receive))
        try:
            with self._subscribed():
                while not (self._is_over or self._has_ended()):
                    chunk = self._next_chunk() or (KEEPALIVE if self._is_quiet else b"")
                    self._is_quiet = False
                    if chunk:
                        await send({"type": "http.response.body", "body": chunk, "more_body": True})
                    else:
                        self._woken.clear()
                        await self._woken.wait()
        finally:
            listening.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _has_ended(self) -> bool:
        """Whether the server stops, and all that has happened is told."""
        return self.registry.closing and self.session.state.seq == self.last_seq

    @contextmanager
    def _subscribed(self) -> Iterator[None]:
        """Hear of changes meanwhile, and count as presence of the seat."""
        streams = self.registry.limits.streams
        streams.take(self.address, self._end)
        self.session.watchers.add(self._on_change)
        if self.seat is not None:
            self.session.polled_at.pop(self.seat, None)  # the stream replaces its polls
        self._count_stream(1)
        try:
            yield
        finally:
            streams.leave(self.address, self._end)
            self.session.watchers.discard(self._on_change)
            self._count_stream(-1)

    def _on_change(self) -> None:
        """Send what has changed; the own pick later, for the response to it has told it."""
        picked_last = self.session.state.picked_last
        if picked_last is not None and picked_last == self.seat:
            asyncio.get_running_loop().call_later(OWN_PICK_DELAY_S, self._woken.set)
        else:
            self._woken.set()

    async def _listen(self, receive: Receive) -> None:
        """Wake the stream when the client disconnects, and regularly until then."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(KEEPALIVE_INTERVAL_S):
                    while (await receive())["type"] != "http.disconnect":
                        pass
                self._end()
                return
            self._is_quiet = True
            self._woken.set()

    def _end(self) -> None:
        self._is_over = True
        self._woken.set()

    def _count_stream(self, step: int) -> None:
        """Change the number of the seat's streams, and announce its presence."""
        if self.seat is not None:
            self.session.streams[self.seat] += step
            self.registry.presence_changed(self.session)

    def _next_chunk(self) -> bytes:
        """The event that tells what has changed since the last one; empty where nothing has."""
        session, present = self.session, presence(self.session)
        last_seq, self.last_seq = self.last_seq, session.state.seq
        sent, self._sent_presence = self._sent_presence, present
        if self.last_seq != last_seq:
            view = encode_match_view(session, self.seat)
            return b"id: %d\nevent: view\ndata: %b\n\n" % (self.last_seq, view)
        if sent is None or present != replace(sent, now=present.now):
            return b"event: presence\ndata: %b\n\n" % ENCODER.encode(present)
        return b""
