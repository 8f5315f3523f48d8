"""The event stream of a match: views and presence as server-sent events."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Annotated, Any, Final, cast

from litestar import MediaType, Request, get
from litestar.openapi import ResponseSpec
from litestar.params import HeaderParameter
from litestar.types import Receive, Scope, Send

from evenodds.core.vocabulary import Seat
from evenodds.protocol.match_view import MatchView, Presence
from evenodds.server.http.problems import PROBLEMS
from evenodds.server.http.seat_auth import SEAT_OPTIONAL, renewed_cookies, seat_of
from evenodds.server.http.security import address_of
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.matches.match_session import MatchSession
from evenodds.server.matches.views import ENCODER, encode_match_view, presence

KEEPALIVE_INTERVAL_S: Final = 15.0
"""Seconds without an event after which a comment keeps the connection alive."""

STREAM_HEADERS: Final = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]


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
    id: str, request: Request[Any, Any, Any], registry: MatchRegistry, last_id: LastEventId = None
) -> "EventStreamResponse":
    """The view of the match as server-sent events: now, and after every change."""
    seat = await seat_of(request, id, registry)
    session = await registry.session(id)
    last = last_id or ""
    last_seq = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else -1
    address = address_of(request.scope)
    registry.limits.check_stream(address)
    cookies = [each.to_encoded_header() for each in renewed_cookies(request, session.state)]
    return EventStreamResponse(
        MatchSubscription(registry, session, seat), address, last_seq, cookies
    )


class MatchSubscription:
    """Subscribes a stream to a session, and counts it as presence of its seat."""

    def __init__(self, registry: MatchRegistry, session: MatchSession, seat: Seat | None) -> None:
        self.registry = registry
        self.session = session
        self.seat = seat
        self.disconnected = False
        self._changed = asyncio.Event()
        self._changed.set()
        self._keepalive_due = False
        """Whether the timer woke the stream, and not a change."""
        self._sent = False
        """Whether an event was sent since the timer last fired."""

    def __enter__(self) -> "MatchSubscription":
        self.session.watchers.add(self._changed.set)
        self._timer = asyncio.get_running_loop().call_later(KEEPALIVE_INTERVAL_S, self._on_timer)
        if self.seat is not None:
            self.session.polled_at.pop(self.seat, None)  # the stream replaces its polls
        self._count_stream(1)
        return self

    def __exit__(self, *_: object) -> None:
        self.session.watchers.discard(self._changed.set)
        self._timer.cancel()
        self._count_stream(-1)

    async def change(self) -> bool:
        """Wait for a change; False where a keep-alive is due instead."""
        await self._changed.wait()
        self._changed.clear()
        self._sent = not self._keepalive_due
        self._keepalive_due = False
        return self._sent

    def _on_timer(self) -> None:
        """Wake the stream for a keep-alive unless an event was sent since the last call.

        One repeating timer is cheaper than a timeout that each event would have to restart.
        """
        if not self._sent:
            self._keepalive_due = not self._changed.is_set()
            self._changed.set()
        self._sent = False
        self._timer = asyncio.get_running_loop().call_later(KEEPALIVE_INTERVAL_S, self._on_timer)

    async def wait_for_disconnect(self, receive: Receive) -> None:
        """Wake the stream when the client disconnects."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self.disconnected = True
        self._changed.set()

    def _count_stream(self, step: int) -> None:
        """Change the number of the seat's streams, and announce its presence."""
        if self.seat is not None:
            self.session.streams[self.seat] += step
            self.registry.presence_changed(self.session)


class EventStreamResponse:
    """An ASGI response that streams events until the client or the server ends it."""

    def __init__(
        self,
        subscription: MatchSubscription,
        address: str,
        last_seq: int,
        cookies: list[tuple[bytes, bytes]],
    ) -> None:
        self.subscription = subscription
        self.headers = [*STREAM_HEADERS, *cookies]
        self.address = address
        self.last_seq = last_seq

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        await send({"type": "http.response.start", "status": 200, "headers": self.headers})
        # The first view may be a while: whoever has heard the last one waits for the next.
        await send({"type": "http.response.body", "body": b"", "more_body": True})
        disconnect = asyncio.create_task(self.subscription.wait_for_disconnect(receive))
        try:
            async for chunk in self._views():
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        finally:
            disconnect.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _views(self) -> AsyncGenerator[bytes, None]:
        """Chunks of the stream. Changes set a flag, so a slow client skips outdated views."""
        subscription, session = self.subscription, self.subscription.session
        last_seq, sent_presence = self.last_seq, None
        with subscription.registry.limits.stream(self.address), subscription:
            while not (subscription.registry.closing or subscription.disconnected):
                if not await subscription.change():
                    yield b": still here\n\n"
                    continue
                present = presence(session)
                known, sent_presence = sent_presence, _without_time(present)
                if session.state.seq != last_seq:
                    last_seq = session.state.seq
                    view = encode_match_view(session, subscription.seat, present)
                    yield b"id: %d\nevent: view\ndata: %b\n\n" % (last_seq, view)
                elif sent_presence != known:
                    yield b"event: presence\ndata: %b\n\n" % ENCODER.encode(present)


def _without_time(present: Presence) -> tuple[object, ...]:
    """What is compared with the presence that was sent last."""
    return (
        present.connected,
        present.deadline,
        present.absence,
        present.delay,
        present.reactions,
    )
