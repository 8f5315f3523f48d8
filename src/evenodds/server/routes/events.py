"""The event stream of a match: views and presence as server-sent events."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Annotated, Any, Final, cast

from litestar import MediaType, Request, get
from litestar.openapi import ResponseSpec
from litestar.params import HeaderParameter
from litestar.types import Receive, Scope, Send

from evenodds.core.vocabulary import Seat
from evenodds.server.http.problems import PROBLEMS
from evenodds.server.http.seat_auth import SEAT_OPTIONAL, kept_cookies, seat_of
from evenodds.server.http.security import address_of
from evenodds.server.matches.match_session import MatchSession
from evenodds.server.matches.registry import MatchRegistry
from evenodds.server.matches.views import ENCODER, encode_match_view, presence
from evenodds.server.schemas import MatchView, Presence

KEEPALIVE_INTERVAL_S: Final = 15.0
"""Seconds after which a stream says that it is still there."""

HEADERS: Final = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]


TELLS: Final = ResponseSpec(
    cast(Any, MatchView | Presence),
    description="Server-sent events: `view` with how the match stands, whose id is its `seq`, "
    "and `presence` when no more has changed than who is there, or until when they may come.",
    media_type=cast(MediaType, "text/event-stream"),
    generate_examples=False,
)
Last = Annotated[
    str | None,
    HeaderParameter(
        name="Last-Event-ID",
        description="The id of the last `view` that was heard; it is not told again.",
    ),
]


@get("/api/matches/{id:str}/events", responses=PROBLEMS | {200: TELLS}, security=SEAT_OPTIONAL)
async def events(
    id: str, request: Request[Any, Any, Any], hall: MatchRegistry, last_id: Last = None
) -> "EventStreamResponse":
    """How the match stands, now and whenever it changes."""
    seat = await seat_of(request, id, hall)
    table = await hall.table(id)
    last = last_id or ""
    seen = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else -1
    address = address_of(request.scope)
    hall.limits.check_stream(address)
    cookies = [each.to_encoded_header() for each in kept_cookies(request, table.room)]
    return EventStreamResponse(MatchSubscription(hall, table, seat), address, seen, cookies)


class MatchSubscription:
    """Someone who watches a table, and what they have been told last."""

    def __init__(self, hall: MatchRegistry, table: MatchSession, seat: Seat | None) -> None:
        self.hall = hall
        self.table = table
        self.seat = seat
        self.left = False
        self._changed = asyncio.Event()
        self._changed.set()
        self._quiet = False
        """Whether it was silence that woke the stream."""
        self._told = False
        """Whether something was told since the timer last looked."""

    def __enter__(self) -> "MatchSubscription":
        self.table.watchers.add(self._changed.set)
        self._timer = asyncio.get_running_loop().call_later(KEEPALIVE_INTERVAL_S, self._be_quiet)
        if self.seat is not None:
            self.table.polled.pop(self.seat, None)  # whoever reads need not ask
        self._come(1)
        return self

    def __exit__(self, *_: object) -> None:
        self.table.watchers.discard(self._changed.set)
        self._timer.cancel()
        self._come(-1)

    async def change(self) -> bool:
        """Wait for a change; False when there has been none for a while."""
        await self._changed.wait()
        self._changed.clear()
        self._told = not self._quiet
        self._quiet = False
        return self._told

    def _be_quiet(self) -> None:
        """Wake the stream when nothing has been told for a while."""
        if not self._told:
            self._quiet = not self._changed.is_set()
            self._changed.set()
        self._told = False
        self._timer = asyncio.get_running_loop().call_later(KEEPALIVE_INTERVAL_S, self._be_quiet)

    async def until_left(self, receive: Receive) -> None:
        """Notice when the reader goes."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self.left = True
        self._changed.set()

    def _come(self, step: int) -> None:
        """Let the others know that a player has come, or is gone."""
        if self.seat is not None:
            self.table.streams[self.seat] += step
            self.hall.presence_changed(self.table)


class EventStreamResponse:
    """An answer that goes on for as long as the reader stays: ASGI, without a framework between."""

    def __init__(
        self,
        watching: MatchSubscription,
        address: str,
        seen: int,
        cookies: list[tuple[bytes, bytes]],
    ) -> None:
        self.watching = watching
        self.headers = [*HEADERS, *cookies]
        self.address = address
        self.seen = seen

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Tell."""
        await send({"type": "http.response.start", "status": 200, "headers": self.headers})
        leaving = asyncio.create_task(self.watching.until_left(receive))
        try:
            async for words in self._views():
                await send({"type": "http.response.body", "body": words, "more_body": True})
        finally:
            leaving.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _views(self) -> AsyncGenerator[bytes, None]:
        """The view after each change. A reader who is slow skips what is out of date."""
        watching, table = self.watching, self.watching.table
        seen, known = self.seen, None
        with watching.hall.limits.stream(self.address), watching:
            while not (watching.hall.closing or watching.left):
                if not await watching.change():
                    yield b": still here\n\n"
                elif table.room.seq != seen:
                    seen, known = table.room.seq, _there(table)
                    view = encode_match_view(table, watching.seat)
                    yield b"id: %d\nevent: view\ndata: %b\n\n" % (seen, view)
                elif _there(table) != known:
                    known = _there(table)
                    there = ENCODER.encode(presence(table))
                    yield b"event: presence\ndata: %b\n\n" % there


def _there(table: MatchSession) -> object:
    """What is told of those who are there, of the clock and of computers, when it changes."""
    return {key: value for key, value in presence(table).items() if key != "now"}
