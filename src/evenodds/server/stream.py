"""Streams of events: each watcher hears how the match stands, from the moment it listens."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any, Final

import msgspec
from litestar import Request, get
from litestar.response import ServerSentEvent, ServerSentEventMessage

from evenodds.server.api import seat_of
from evenodds.server.hall import Hall, Table
from evenodds.server.room import Room
from evenodds.server.views import room_as_data
from evenodds.vocabulary import Seat

QUIET: Final = 15.0
"""Seconds after which a stream says that it is still there."""
ENCODER: Final = msgspec.json.Encoder()


@get("/api/matches/{id:str}/events")
async def events(id: str, request: Request[Any, Any, Any], hall: Hall) -> ServerSentEvent:
    """How the match stands, now and whenever it changes; the number of the event is its id."""
    seat = await seat_of(request, id, hall)
    table = await hall.table(id)
    last = request.headers.get("last-event-id", "")
    seen = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else -1
    return ServerSentEvent(_views(table, seat, seen))


async def _views(
    table: Table, seat: Seat | None, seen: int
) -> AsyncGenerator[ServerSentEventMessage, None]:
    """The view after each change. A reader who is slow skips what is out of date."""
    changed = asyncio.Event()
    changed.set()

    def watch(room: Room) -> None:
        changed.set()

    table.watchers.add(watch)
    try:
        while True:
            try:
                await asyncio.wait_for(changed.wait(), QUIET)
            except TimeoutError:
                yield ServerSentEventMessage(comment="still here")
                continue
            changed.clear()
            if table.room.seq != seen:
                seen = table.room.seq
                data = ENCODER.encode(room_as_data(table.room, seat)).decode()
                yield ServerSentEventMessage(data=data, event="view", id=str(seen))
    finally:
        table.watchers.discard(watch)
