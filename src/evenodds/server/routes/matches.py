"""Routes of one match: its view and record, and all actions of a seat."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Request, get, post
from litestar.datastructures import Cookie
from litestar.response import Response

from evenodds.core import notation
from evenodds.core.match import IllegalPick
from evenodds.core.seals import COMMITMENT, SALT
from evenodds.core.serialization import SEAT_NAMES
from evenodds.core.vocabulary import Seat, other
from evenodds.server.http.problems import PROBLEMS, STALE, stale
from evenodds.server.http.seat_auth import (
    SEAT_OPTIONAL,
    SEAT_REQUIRED,
    cookie,
    kept_cookies,
    own_seat,
    seat_of,
    token_of,
)
from evenodds.server.http.security import address_of
from evenodds.server.matches.match_session import MatchSession
from evenodds.server.matches.registry import MatchRegistry
from evenodds.server.matches.views import encode_match_view, table_as_data
from evenodds.server.schemas import MatchView, Rematch

Asking = Request[Any, Any, Any]
Round = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Number = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class Pick(msgspec.Struct, forbid_unknown_fields=True):
    """A number for a round or, where picks are sealed, the promise of one."""

    round: Round
    number: Number | None = None
    commitment: Annotated[str, msgspec.Meta(pattern=f"^{COMMITMENT.pattern}$")] | None = None


class Reveal(msgspec.Struct, forbid_unknown_fields=True):
    """What opens a promise."""

    round: Round
    number: Number
    salt: Annotated[str, msgspec.Meta(pattern=f"^{SALT.pattern}$")]


class TakeBack(msgspec.Struct, forbid_unknown_fields=True):
    """A wish to take back, and the round that it was made in."""

    round: Round


@get("/api/matches/{id:str}", responses=PROBLEMS, security=SEAT_OPTIONAL)
async def match(
    id: str, request: Asking, hall: MatchRegistry, present: bool = False
) -> Response[MatchView]:
    """A match as the seat sees it; without a seat, as a spectator does.

    Whoever cannot read the events asks again and again: with `present` they count as being there
    for a minute.
    """
    seat = await seat_of(request, id, hall)
    table = await hall.table(id)
    if present and seat is not None:
        hall.polled(table, seat)
    return _view(table, seat, kept_cookies(request, table.room))


@get("/api/matches/{id:str}/record", media_type=MediaType.TEXT, responses=PROBLEMS)
async def record(id: str, hall: MatchRegistry) -> str:
    """What has been played, in notation; of sealed picks with what they were promised by."""
    room = (await hall.table(id)).room
    sealed = notation.Sealed(room.id, room.seals, room.unplayed) if room.sealed else None
    return notation.write(room.match, sealed=sealed)


@post("/api/matches/{id:str}/picks", status_code=200, responses=STALE, security=SEAT_REQUIRED)
async def pick(id: str, data: Pick, request: Asking, hall: MatchRegistry) -> Response[MatchView]:
    """Pick a number for a round; sent twice it is taken once. A stale round is a conflict."""
    seat = await own_seat(request, id, hall)
    hall.limits.picks.take((id, seat))
    table = await hall.table(id)
    if (data.number is None) == (data.commitment is None):
        raise IllegalPick("a pick has either a number or a commitment")
    try:
        if data.number is not None:
            await hall.referee.pick(table, seat, data.round, data.number)
        elif data.commitment is not None:
            await hall.referee.commit(table, seat, data.round, data.commitment)
    except IllegalPick as error:
        if data.round == table.room.match.round:
            raise
        return stale(str(error), table_as_data(table, seat))
    return _view(table, seat)


@post("/api/matches/{id:str}/reveals", status_code=200, responses=STALE, security=SEAT_REQUIRED)
async def reveal(
    id: str, data: Reveal, request: Asking, hall: MatchRegistry
) -> Response[MatchView]:
    """Open a promise once both are made; what does not open it loses the match."""
    seat = await own_seat(request, id, hall)
    hall.limits.picks.take((id, seat))
    table = await hall.table(id)
    try:
        await hall.referee.reveal(table, seat, data.round, (data.number, data.salt))
    except IllegalPick as error:
        return stale(str(error), table_as_data(table, seat))
    return _view(table, seat)


@post(
    "/api/matches/{id:str}/resignation", status_code=200, responses=PROBLEMS, security=SEAT_REQUIRED
)
async def resign(id: str, request: Asking, hall: MatchRegistry) -> MatchView:
    """Give the match up."""
    seat = await own_seat(request, id, hall)
    table = await hall.table(id)
    await hall.referee.end(table, "resigned", seat)
    return table_as_data(table, seat)


@post(
    "/api/matches/{id:str}/cancellation",
    status_code=200,
    responses=PROBLEMS,
    security=SEAT_REQUIRED,
)
async def cancel(id: str, request: Asking, hall: MatchRegistry) -> MatchView:
    """Give up a match that nobody has joined."""
    seat = await own_seat(request, id, hall)
    table = await hall.table(id)
    await hall.referee.cancel(table)
    return table_as_data(table, seat)


@post("/api/matches/{id:str}/claim", status_code=200, responses=PROBLEMS, security=SEAT_REQUIRED)
async def claim(id: str, request: Asking, hall: MatchRegistry) -> MatchView:
    """Win against somebody who was away for too long, where no clock ends the match by itself."""
    seat = await own_seat(request, id, hall)
    table = await hall.table(id)
    await hall.referee.claim(table, seat)
    return table_as_data(table, seat)


@post("/api/matches/{id:str}/takeback", status_code=200, responses=PROBLEMS, security=SEAT_REQUIRED)
async def take_back(id: str, data: TakeBack, request: Asking, hall: MatchRegistry) -> MatchView:
    """Go back to one's own last pick, against a computer."""
    seat = await own_seat(request, id, hall)
    table = await hall.table(id)
    await hall.referee.take_back(table, seat, data.round)
    return table_as_data(table, seat)


@post("/api/matches/{id:str}/rematch", status_code=200, responses=PROBLEMS, security=SEAT_REQUIRED)
async def rematch(id: str, request: Asking, hall: MatchRegistry) -> Response[Rematch]:
    """Offer a rematch or agree to one; once both have, the new match and the seat there."""
    seat = await own_seat(request, id, hall)
    address = address_of(request.scope)
    table = await hall.table(id)
    following = await hall.rematch(table, seat, address)
    if not following:
        return Response(Rematch(offered=True, match=None, token=None, seat=None))
    token, there = token_of(request.scope, id), other(seat)
    cookies = [cookie(request, following, token, there), *kept_cookies(request, table.room)]
    found = Rematch(offered=True, match=following, token=token, seat=SEAT_NAMES[there])
    return Response(found, cookies=cookies)


def _view(
    table: MatchSession, seat: Seat | None, cookies: Sequence[Cookie] = ()
) -> Response[MatchView]:
    """How the match stands now, as a seat sees it."""
    body: Any = encode_match_view(table, seat)
    return Response(body, media_type=MediaType.JSON, cookies=cookies)
