"""Fast path for picks: valid ones are handled before the framework's routing.

Routing, dependency injection and encoding by the framework cost more time than the pick itself.
Any request that is not a plain valid pick is passed to the framework, which answers it.
"""

import time
from collections.abc import Callable
from typing import Any, Final

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from evenodds.core.match import IllegalPick
from evenodds.protocol.requests import PickRequest
from evenodds.server.http.metrics import Metrics
from evenodds.server.http.seat_auth import token_of
from evenodds.server.http.security import NO_STORE, SECURITY_HEADERS
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.matches.views import encode_match_view
from evenodds.server.rate_limits import RateLimited
from evenodds.server.storage.database import DatabaseError
from evenodds.system.http.protocol import direct_writer

PATH_PREFIX, PATH_SUFFIX = "/api/matches/", "/picks"
CONTENT_TYPE: Final = (b"content-type", b"application/json")
RESPONSE_HEADERS: Final = b"".join(
    b"%b: %b\r\n" % header for header in (CONTENT_TYPE, NO_STORE, *SECURITY_HEADERS)
)
PICK_DECODER: Final = msgspec.json.Decoder(PickRequest)


class PickFastPath:
    """ASGI middleware that handles valid picks, and passes on all other requests."""

    def __init__(
        self, app: ASGIApp, registry: Callable[[], MatchRegistry | None], metrics: Metrics
    ) -> None:
        self.app = app
        self.registry = registry
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a pick, or pass the request on."""
        if scope["type"] != ScopeType.HTTP or not _is_pick(scope):
            await self.app(scope, receive, send)
            return
        # A pick is smaller than a chunk. One that comes in pieces is left to the framework, which
        # limits the size of bodies.
        began = time.perf_counter()
        writer = direct_writer(scope)
        body = await writer.whole_body() if writer else None
        view = await self._take(scope, body) if body is not None else None
        if view is None or writer is None:
            await self.app(scope, receive, send)
            return
        if writer.respond(RESPONSE_HEADERS, view):
            self.metrics.answered(scope, 200, time.perf_counter() - began)
            return
        headers = [CONTENT_TYPE, (b"content-length", str(len(view)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": view, "more_body": False})

    async def _take(self, scope: Any, body: bytes) -> bytes | None:
        """The view after a pick; None where the framework must handle the request."""
        registry, id = self.registry(), scope["path"][len(PATH_PREFIX) : -len(PATH_SUFFIX)]
        session = registry.sessions.get(id) if registry else None
        seat = session.seat_of(token_of(scope, id)) if session else None
        if registry is None or session is None or seat is None:
            return None
        session.watched_at = time.monotonic()
        # What is refused below has changed nothing: the framework handles the request from the
        # start, and answers with the proper error.
        try:
            pick = PICK_DECODER.decode(body)
            if pick.number is None or pick.commitment is not None:
                return None
            registry.limits.picks.take((id, seat))
        except (msgspec.DecodeError, UnicodeDecodeError, RateLimited):
            return None
        try:
            await registry.referee.pick(session, seat, pick.round, pick.number)
        except (IllegalPick, DatabaseError):
            # The framework will take a token for the same request.
            registry.limits.picks.refund((id, seat))
            return None
        return encode_match_view(session, seat)


def _is_pick(scope: Any) -> bool:
    path: str = scope["path"]
    return scope["method"] == "POST" and path.startswith(PATH_PREFIX) and path.endswith(PATH_SUFFIX)
