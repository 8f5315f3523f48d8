"""Picks, which are answered before the framework is asked.

Its routing, dependencies and responses take more time than a pick itself.
"""

import re
from collections.abc import Callable
from typing import Final

from litestar import post
from litestar.exceptions import ClientException, NotFoundException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.types import ASGIApp, Receive, Scope, Send

from evenodds.core.match import IllegalPick
from evenodds.protocol.requests import PickRequest
from evenodds.protocol.responses import MatchView
from evenodds.server.http.problems import STALE_PROBLEMS, StaleRound
from evenodds.server.http.request import decode_body
from evenodds.server.http.seat_auth import SEAT_REQUIRED, player
from evenodds.server.http.security import send_response
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.matches.views import encode_match_view

PATH: Final = re.compile(r"/api/matches/([^/]+)/picks/?")


class PickHandler:
    """An ASGI application around another one: it answers all picks itself."""

    def __init__(
        self, app: ASGIApp, registry: Callable[[], MatchRegistry], body_bytes: int
    ) -> None:
        self.app = app
        self.registry = registry
        self.body_bytes = body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a pick, or pass the request on."""
        found = PATH.fullmatch(scope["path"]) if scope.get("method") == "POST" else None
        if found is None:
            await self.app(scope, receive, send)
            return
        request = decode_body(await self._body(receive), PickRequest)
        view = await self._pick(scope, found[1], request)
        await send_response(send, 200, "application/json", view)

    async def _body(self, receive: Receive) -> bytes:
        body, more = b"", True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                raise ClientException("the request did not arrive")  # the client is gone
            body, more = body + message["body"], message.get("more_body", False)
            if len(body) > self.body_bytes:
                raise RequestEntityTooLarge
        return body

    async def _pick(self, scope: Scope, id: str, request: PickRequest) -> bytes:
        """The view after a pick."""
        registry = self.registry()
        session, seat = await player(scope, id, registry)
        registry.limits.picks.take((id, seat))
        if (request.number is None) == (request.commitment is None):
            raise IllegalPick("a pick has either a number or a commitment")
        try:
            if request.number is not None:
                await registry.referee.pick(session, seat, request.round, request.number)
            elif request.commitment is not None:
                await registry.referee.commit(session, seat, request.round, request.commitment)
        except IllegalPick as error:
            if request.round == session.state.match.round:
                raise
            raise StaleRound(str(error), encode_match_view(session, seat)) from None
        return encode_match_view(session, seat)


@post(
    "/api/matches/{id:str}/picks", status_code=200, responses=STALE_PROBLEMS, security=SEAT_REQUIRED
)
async def pick(id: str, data: PickRequest) -> MatchView:
    """Pick a number for a round, idempotently. A past round is a conflict."""
    raise NotFoundException  # it is here for the document of the API: `PickHandler` answers
