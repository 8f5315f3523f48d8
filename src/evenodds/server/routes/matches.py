"""Routes of one match: its view and record, and all actions of a seat."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from litestar import Litestar, MediaType, get, post
from litestar.datastructures import Cookie
from litestar.exceptions import ClientException, NotFoundException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.openapi import ResponseSpec
from litestar.response import Response
from litestar.types import Receive, Scope, Send

from evenodds.core import notation
from evenodds.core.match import IllegalPick
from evenodds.core.vocabulary import SEAT_NAMES, Seat, other
from evenodds.protocol.messages import (
    MatchView,
    PickRequest,
    ReactionRequest,
    Rematch,
    RevealRequest,
    TakeBackRequest,
)
from evenodds.server.http.problems import PROBLEMS, STALE_PROBLEMS, StaleRound
from evenodds.server.http.request import (
    SEAT_OPTIONAL,
    SEAT_REQUIRED,
    HttpRequest,
    cookie,
    decode_body,
    player,
    renewed_cookies,
    sent_token,
    token_of,
    visitor,
)
from evenodds.server.http.security import address_of, send_response
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.matches.match_session import MatchSession
from evenodds.server.matches.views import encode_match_view

PICKS_PATH: Final = re.compile(r"/api/matches/([^/]+)/picks/?")


def action(name: str, problems: dict[int, ResponseSpec] = PROBLEMS) -> post:
    """The route of an action that needs a seat."""
    path = f"/api/matches/{{id:str}}/{name}"
    return post(path, status_code=200, responses=problems, security=SEAT_REQUIRED)


@get("/api/matches/{id:str}", responses=PROBLEMS, security=SEAT_OPTIONAL)
async def match(
    id: str, request: HttpRequest, registry: MatchRegistry, present: bool = False
) -> Response[MatchView]:
    """A match as the seat sees it; without a seat, as a spectator does.

    A client that cannot read the event stream polls; with `present` its seat counts as connected
    for a minute.
    """
    session, seat = await visitor(request.scope, id, registry)
    if present and seat is not None:
        registry.record_poll(session, seat)
    cookies = renewed_cookies(request, session.state)
    return view_response(session, seat, cookies)


@get("/api/matches/{id:str}/record", media_type=MediaType.TEXT, responses=PROBLEMS)
async def record(id: str, registry: MatchRegistry) -> str:
    """The record in notation; sealed picks with their commitments and salts."""
    state = (await registry.session(id)).state
    sealed = notation.Sealed(state.id, state.seals, state.unplayed) if state.sealed else None
    return notation.write(state.match, sealed=sealed)


@action("picks", STALE_PROBLEMS)
async def pick(id: str, data: PickRequest) -> MatchView:
    """Pick a number for a round, idempotently. A past round is a conflict."""
    raise NotFoundException  # it is here for the document of the API: `PickHandler` answers


@action("reveals", STALE_PROBLEMS)
async def reveal(
    id: str, data: RevealRequest, request: HttpRequest, registry: MatchRegistry
) -> Response[MatchView]:
    """Reveal a committed pick once both are committed; a wrong reveal loses the match."""
    session, seat = await player(request.scope, id, registry)
    registry.limits.picks.take((id, seat))
    try:
        await registry.referee.reveal(session, seat, data.round, (data.number, data.salt))
    except IllegalPick as error:
        raise StaleRound(str(error), encode_match_view(session, seat)) from None
    return view_response(session, seat)


@action("resignation")
async def resign(id: str, request: HttpRequest, registry: MatchRegistry) -> Response[MatchView]:
    """Resign the match."""
    session, seat = await player(request.scope, id, registry)
    await registry.referee.end(session, loser=seat)
    return view_response(session, seat)


@action("cancellation")
async def cancel(id: str, request: HttpRequest, registry: MatchRegistry) -> Response[MatchView]:
    """Cancel a match that nobody has joined."""
    session, seat = await player(request.scope, id, registry)
    await registry.referee.end(session, loser=None)
    return view_response(session, seat)


@action("claim")
async def claim(id: str, request: HttpRequest, registry: MatchRegistry) -> Response[MatchView]:
    """Claim the win over a player absent for too long, in a match without a clock."""
    session, seat = await player(request.scope, id, registry)
    await registry.referee.claim(session, seat)
    return view_response(session, seat)


@action("takeback")
async def take_back(
    id: str, data: TakeBackRequest, request: HttpRequest, registry: MatchRegistry
) -> Response[MatchView]:
    """Take back the own last pick and all after it, against a computer.

    In a game of turns a person is asked, and answers with `accept`; a pick ends the request.
    """
    session, seat = await player(request.scope, id, registry)
    if data.accept is None:
        await registry.referee.take_back(session, seat, data.round)
    else:
        await registry.referee.answer_take_back(session, seat, data.round, data.accept)
    return view_response(session, seat)


@action("reactions")
async def react(
    id: str, data: ReactionRequest, request: HttpRequest, registry: MatchRegistry
) -> Response[MatchView]:
    """Show a sign to all who look at the match; it is not recorded."""
    session, seat = await player(request.scope, id, registry)
    registry.react(session, seat, data.sign)
    return view_response(session, seat)


@action("rematch")
async def rematch(
    id: str, request: HttpRequest, registry: MatchRegistry, stands: bool = True
) -> Response[Rematch]:
    """Offer a rematch or accept one; once both have, returns the new match and the seat.

    With `stands=false` an offer is taken back.
    """
    session, seat = await player(request.scope, id, registry)
    following = await registry.rematch(session, seat, address_of(request.scope), stands)
    if not following:
        return Response(Rematch(offered=stands, match=None))
    token, new_seat = token_of(request.scope, id), other(seat)
    cookies = [
        cookie(request, following, token, SEAT_NAMES[new_seat]),
        *renewed_cookies(request, session.state),
    ]
    known = token if sent_token(request.scope) == token else None  # a cookie is not for scripts
    body = Rematch(match=following, token=known, seat=SEAT_NAMES[new_seat])
    return Response(body, cookies=cookies)


def view_response(
    session: MatchSession, seat: Seat | None, cookies: Sequence[Cookie] = ()
) -> Response[MatchView]:
    """A response with the view of a seat, which is encoded already."""
    view: Any = encode_match_view(session, seat)
    return Response(view, media_type=MediaType.JSON, cookies=cookies)


@dataclass(eq=False)
class PickHandler:
    """An ASGI application around another one, which answers all picks itself.

    Routing, dependencies and responses of the framework take more time than a pick.
    """

    app: Litestar
    body_bytes: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a pick, or pass the request on."""
        found = PICKS_PATH.fullmatch(scope["path"]) if scope.get("method") == "POST" else None
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
        registry: MatchRegistry = self.app.state.registry
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
