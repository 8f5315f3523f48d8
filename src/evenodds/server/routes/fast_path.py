"""Fast path for picks: valid ones are handled before the framework's routing.

A pick that is as it should be is taken here, without the machinery of the framework, which costs
more than the pick. Whatever is out of the ordinary goes the long way, and is answered there.
"""

import time
from collections.abc import Callable
from typing import Any, Final

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from evenodds.core.match import IllegalPick
from evenodds.server.http.seat_auth import token_of
from evenodds.server.limits import RateLimited
from evenodds.server.matches.registry import MatchRegistry
from evenodds.server.matches.views import encode_match_view
from evenodds.server.routes.matches import Pick
from evenodds.server.storage.database import DatabaseError

BEFORE, AFTER = "/api/matches/", "/picks"
PICK: Final = msgspec.json.Decoder(Pick)


class PickFastPath:
    """An ASGI application around another, which takes picks by itself."""

    def __init__(self, app: ASGIApp, hall: Callable[[], MatchRegistry | None]) -> None:
        self.app = app
        self.hall = hall

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take a pick, or hand the request on."""
        if scope["type"] != ScopeType.HTTP or not _is_pick(scope):
            await self.app(scope, receive, send)
            return
        message: Any = await receive()
        whole = message["type"] == "http.request" and not message.get("more_body")
        view = await self._take(scope, message["body"]) if whole else None
        if view is None:
            await self.app(scope, _again(message, receive), send)
            return
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(view)).encode()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": view, "more_body": False})

    async def _take(self, scope: Any, body: bytes) -> bytes | None:
        """The view after a pick; None when the pick must go the long way."""
        hall, id = self.hall(), scope["path"][len(BEFORE) : -len(AFTER)]
        table = hall.tables.get(id) if hall else None
        seat = table.seat_of(token_of(scope, id)) if table else None
        if hall is None or table is None or seat is None:
            return None
        table.used_at = time.monotonic()
        try:
            pick = PICK.decode(body)
            if pick.number is None or pick.commitment is not None:
                return None
            hall.limits.picks.take((id, seat))
        except (msgspec.DecodeError, UnicodeDecodeError, RateLimited):
            return None
        try:
            await hall.referee.pick(table, seat, pick.round, pick.number)
        except (IllegalPick, DatabaseError):
            hall.limits.picks.give((id, seat))
            return None
        return encode_match_view(table, seat)


def _is_pick(scope: Any) -> bool:
    path: str = scope["path"]
    return scope["method"] == "POST" and path.startswith(BEFORE) and path.endswith(AFTER)


def _again(first: Any, receive: Receive) -> Receive:
    """What was received, to be received again."""
    waiting = [first]

    async def replay() -> Any:
        return waiting.pop() if waiting else await receive()

    return replay
