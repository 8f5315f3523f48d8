"""Picks that need nothing of the framework: valid ones of matches in memory.

Routing, dependencies and responses of the framework take more time than such a pick itself. All
else is left to the framework, which answers from the start.
"""

import time
from collections.abc import Callable
from typing import Any, Final

import msgspec
from litestar.types import ASGIApp, Receive, Scope, Send

from evenodds.core.match import IllegalPick
from evenodds.protocol.requests import PickRequest
from evenodds.server.http.seat_auth import token_of
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.matches.views import encode_match_view
from evenodds.server.rate_limits import RateLimited
from evenodds.server.storage.database import DatabaseError

PREFIX, SUFFIX = "/api/matches/", "/picks"
DECODER: Final = msgspec.json.Decoder(PickRequest)


class QuickPicks:
    """An ASGI application around another one: it answers valid picks itself."""

    def __init__(self, app: ASGIApp, registry: Callable[[], MatchRegistry | None]) -> None:
        self.app = app
        self.registry = registry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a pick, or pass the request on with what was received of it."""
        path = scope.get("path", "")
        if scope.get("method") != "POST" or not (path.startswith(PREFIX) and path.endswith(SUFFIX)):
            await self.app(scope, receive, send)
            return
        first = await receive()
        view = await self._pick(scope, path[len(PREFIX) : -len(SUFFIX)], first)
        if view is None:
            received = [first]

            async def receive_again() -> Any:
                return received.pop() if received else await receive()

            await self.app(scope, receive_again, send)
            return
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(view)),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": view, "more_body": False})

    async def _pick(self, scope: Any, id: str, message: Any) -> bytes | None:
        """The view after a pick; None where the framework must handle the request."""
        registry = self.registry()
        session = registry.sessions.get(id) if registry else None
        seat = session.seat_of(token_of(scope, id)) if session else None
        if registry is None or session is None or seat is None or message.get("more_body", True):
            return None
        session.watched_at = time.monotonic()
        try:
            pick = DECODER.decode(message["body"])
            if pick.number is None or pick.commitment is not None:
                return None
            registry.limits.picks.take((id, seat))
        except (msgspec.DecodeError, UnicodeDecodeError, RateLimited):
            return None
        try:
            await registry.referee.pick(session, seat, pick.round, pick.number)
        except (IllegalPick, DatabaseError):
            registry.limits.picks.refund((id, seat))  # the framework takes one for the same request
            return None
        return encode_match_view(session, seat)
