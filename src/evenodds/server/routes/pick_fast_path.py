"""Fast path for picks: valid ones are handled before the framework's routing.

Routing, dependency injection and encoding by the framework cost more time than the pick itself.
Any request that is not a plain valid pick is passed to the framework, which answers it.
"""

import time
from collections.abc import Callable
from typing import Any, Final

import msgspec

from evenodds.core.match import IllegalPick
from evenodds.protocol.requests import PickRequest
from evenodds.server.http.metrics import Metrics
from evenodds.server.http.seat_auth import token_of
from evenodds.server.http.security import NO_STORE, SECURITY_HEADERS
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.matches.views import encode_match_view
from evenodds.server.rate_limits import RateLimited
from evenodds.server.storage.database import DatabaseError
from evenodds.system.http.protocol import DirectWriter, direct_writer

PATH_PREFIX, PATH_SUFFIX = "/api/matches/", "/picks"
CONTENT_TYPE: Final = (b"content-type", b"application/json")
RESPONSE_HEADERS: Final = b"".join(
    b"%b: %b\r\n" % header for header in (CONTENT_TYPE, NO_STORE, *SECURITY_HEADERS)
)
PICK_DECODER: Final = msgspec.json.Decoder(PickRequest)


class PickFastPath:
    """Answers valid picks past the framework."""

    def __init__(self, registry: Callable[[], MatchRegistry | None], metrics: Metrics) -> None:
        self.registry = registry
        self.metrics = metrics

    async def __call__(self, scope: Any) -> bool:
        """Answer a request that is a valid pick; False where the framework must answer it."""
        writer = direct_writer(scope) if _is_pick(scope) else None
        if writer is None or not writer.is_response_possible():
            return False
        # A pick is smaller than a chunk. One that comes in pieces is left to the framework, which
        # limits the size of bodies.
        began = time.perf_counter()
        body = await writer.whole_body()
        view = await self._take(scope, body, writer) if body is not None else None
        if view is None:
            return False
        writer.respond(RESPONSE_HEADERS, view)
        self.metrics.answered(scope, 200, time.perf_counter() - began)
        return True

    async def _take(self, scope: Any, body: bytes, writer: DirectWriter) -> bytes | None:
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
            if writer.is_response_possible():
                return encode_match_view(session, seat)
            # The framework answers a pick that was taken as one that is repeated.
        except (IllegalPick, DatabaseError):
            pass
        # The framework will take a token for the same request.
        registry.limits.picks.refund((id, seat))
        return None


def _is_pick(scope: Any) -> bool:
    path: str = scope["path"]
    return scope["method"] == "POST" and path.startswith(PATH_PREFIX) and path.endswith(PATH_SUFFIX)
