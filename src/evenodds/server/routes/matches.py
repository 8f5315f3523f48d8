"""Routes of one match: its view and record, and all actions of a seat."""

from collections.abc import Sequence
from typing import Any

from litestar import MediaType, Request, get, post
from litestar.datastructures import Cookie
from litestar.response import Response

from evenodds.core import notation
from evenodds.core.match import IllegalPick
from evenodds.core.serialization import SEAT_NAMES
from evenodds.core.vocabulary import Seat, other
from evenodds.protocol.match_view import MatchView
from evenodds.protocol.requests import PickRequest, ReactionRequest, RevealRequest, TakeBackRequest
from evenodds.protocol.seats import Rematch
from evenodds.server.http.problems import PROBLEMS, STALE_PROBLEMS, stale_response
from evenodds.server.http.seat_auth import (
    SEAT_OPTIONAL,
    SEAT_REQUIRED,
    cookie,
    renewed_cookies,
    required_seat,
    seat_of,
    sent_token,
    token_of,
)
from evenodds.server.http.security import address_of
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.matches.match_session import MatchSession
from evenodds.server.matches.views import encode_match_view, match_view

HttpRequest = Request[Any, Any, Any]


@get("/api/matches/{id:str}", responses=PROBLEMS, security=SEAT_OPTIONAL)
async def match(
    id: str, request: HttpRequest, registry: MatchRegistry, present: bool = False
) -> Response[MatchView]:
    """A match as the seat sees it; without a seat, as a spectator does.

    A client that cannot read the event stream polls; with `present` its seat counts as connected
    for a minute.
    """
    seat = await seat_of(request, id, registry)
    session = await registry.session(id)
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


@post(
    "/api/matches/{id:str}/picks", status_code=200, responses=STALE_PROBLEMS, security=SEAT_REQUIRED
)
async def pick(
    id: str, data: PickRequest, request: HttpRequest, registry: MatchRegistry
) -> Response[MatchView]:
    """Pick a number for a round, idempotently. A past round is a conflict."""
    seat = await required_seat(request, id, registry)
    registry.limits.picks.take((id, seat))
    session = await registry.session(id)
    if (data.number is None) == (data.commitment is None):
        raise IllegalPick("a pick has either a number or a commitment")
    try:
        if data.number is not None:
            await registry.referee.pick(session, seat, data.round, data.number)
        elif data.commitment is not None:
            await registry.referee.commit(session, seat, data.round, data.commitment)
    except IllegalPick as error:
        if data.round == session.state.match.round:
            raise
        return stale_response(str(error), match_view(session, seat))
    return view_response(session, seat)


@post(
    "/api/matches/{id:str}/reveals",
    status_code=200,
    responses=STALE_PROBLEMS,
    security=SEAT_REQUIRED,
)
async def reveal(
    id: str, data: RevealRequest, request: HttpRequest, registry: MatchRegistry
) -> Response[MatchView]:
    """Reveal a committed pick once both are committed; a wrong reveal loses the match."""
    seat = await required_seat(request, id, registry)
    registry.limits.picks.take((id, seat))
    session = await registry.session(id)
    try:
        await registry.referee.reveal(session, seat, data.round, (data.number, data.salt))
    except IllegalPick as error:
        return stale_response(str(error), match_view(session, seat))
    return view_response(session, seat)


@post(
    "/api/matches/{id:str}/resignation", status_code=200, responses=PROBLEMS, security=SEAT_REQUIRED
)
async def resign(id: str, request: HttpRequest, registry: MatchRegistry) -> Response[MatchView]:
    """Resign the match."""
    seat = await required_seat(request, id, registry)
    session = await registry.session(id)
    await registry.referee.end(session, "resigned", seat)
    return view_response(session, seat)


@post(
    "/api/matches/{id:str}/cancellation",
    status_code=200,
    responses=PROBLEMS,
    security=SEAT_REQUIRED,
)
async def cancel(id: str, request: HttpRequest, registry: MatchRegistry) -> Response[MatchView]:
    """Cancel a match that nobody has joined."""
    seat = await required_seat(request, id, registry)
    session = await registry.session(id)
    await registry.referee.cancel(session)
    return view_response(session, seat)


@post("/api/matches/{id:str}/claim", status_code=200, responses=PROBLEMS, security=SEAT_REQUIRED)
async def claim(id: str, request: HttpRequest, registry: MatchRegistry) -> Response[MatchView]:
    """Claim the win over a player absent for too long, in a match without a clock."""
    seat = await required_seat(request, id, registry)
    session = await registry.session(id)
    await registry.referee.claim(session, seat)
    return view_response(session, seat)


@post("/api/matches/{id:str}/takeback", status_code=200, responses=PROBLEMS, security=SEAT_REQUIRED)
async def take_back(
    id: str, data: TakeBackRequest, request: HttpRequest, registry: MatchRegistry
) -> Response[MatchView]:
    """Take back the own last pick and all after it, against a computer.

    In a game of turns a person is asked, and answers with `accept`; a pick ends the request.
    """
    seat = await required_seat(request, id, registry)
    session = await registry.session(id)
    if data.accept is None:
        await registry.referee.take_back(session, seat, data.round)
    else:
        await registry.referee.answer_take_back(session, seat, data.round, data.accept)
    return view_response(session, seat)


@post(
    "/api/matches/{id:str}/reactions", status_code=200, responses=PROBLEMS, security=SEAT_REQUIRED
)
async def react(
    id: str, data: ReactionRequest, request: HttpRequest, registry: MatchRegistry
) -> Response[MatchView]:
    """Show a sign to all who look at the match; it is not recorded."""
    seat = await required_seat(request, id, registry)
    session = await registry.session(id)
    registry.react(session, seat, data.sign)
    return view_response(session, seat)


@post("/api/matches/{id:str}/rematch", status_code=200, responses=PROBLEMS, security=SEAT_REQUIRED)
async def rematch(id: str, request: HttpRequest, registry: MatchRegistry) -> Response[Rematch]:
    """Offer a rematch or accept one; once both have, returns the new match and the seat."""
    seat = await required_seat(request, id, registry)
    address = address_of(request.scope)
    session = await registry.session(id)
    following = await registry.rematch(session, seat, address)
    if not following:
        return Response(Rematch(match=None))
    token, new_seat = token_of(request.scope, id), other(seat)
    cookies = [
        cookie(request, following, token, new_seat),
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
