"""The HTTP interface: games, matches, picks. What is refused says in one line what to mend."""

from typing import Annotated, Any, Final

import msgspec
from litestar import Request, get, post
from litestar.exceptions import HTTPException
from litestar.response import Response

from evenodds import catalog
from evenodds.match import IllegalPick
from evenodds.players import PLAYERS, USUAL, check_opponent
from evenodds.rulings import OneOf, as_data
from evenodds.server.hall import Hall, NotYours, Opening
from evenodds.server.views import room_as_data, summary_as_data
from evenodds.terms import NAME_LENGTH, REPETITION
from evenodds.vocabulary import Seat

Name = Annotated[str, msgspec.Meta(max_length=4 * NAME_LENGTH)]
MOST_LISTED: Final = 50
TOKEN: Final = "x-seat-token"
"""The header in which programs send the token of their seat."""


class Wish(msgspec.Struct, forbid_unknown_fields=True):
    """A match to be opened."""

    game: Annotated[str, msgspec.Meta(max_length=64)]
    rulings: dict[str, int | str] = {}
    player: Annotated[int, msgspec.Meta(ge=1, le=2)] = 1
    """Which player the opener is."""
    name: Name = ""
    opponent: Annotated[str, msgspec.Meta(max_length=32)] = ""
    """A computer's name; empty for a person, who gets an invitation."""
    first: Annotated[int, msgspec.Meta(ge=1, le=2)] = 1
    listed: bool = False


class Invitation(msgspec.Struct, forbid_unknown_fields=True):
    """Someone who comes by an invitation."""

    invitation: Annotated[str, msgspec.Meta(max_length=64)]
    name: Name = ""


class Pick(msgspec.Struct, forbid_unknown_fields=True):
    """A number for a round."""

    round: int
    number: int


@get("/api/games", sync_to_thread=False)
def games() -> list[dict[str, Any]]:
    """The games with their rulings, and the opponents."""
    return [_game(game) for game in catalog.list_games().games]


@get("/api/opponents", sync_to_thread=False)
def opponents() -> dict[str, Any]:
    """The computers by name, and how they play."""
    return {"usual": USUAL, "players": PLAYERS}


@get("/api/matches")
async def matches(hall: Hall) -> list[dict[str, Any]]:
    """The open matches that are listed."""
    ids = await hall.ledger.listed(MOST_LISTED)
    return [summary_as_data((await hall.table(id)).room) for id in ids]


@post("/api/matches", status_code=201)
async def open_match(data: Wish, hall: Hall) -> Response[dict[str, Any]]:
    """Open a match: a seat of one's own, and an invitation for another person."""
    game = catalog.get(data.game)
    if data.opponent:
        check_opponent(data.opponent)
    computers = ["", ""]
    computers[2 - data.player] = data.opponent
    given: dict[str, Any] = {
        "game": game.name,
        "rulings": as_data(game.settle(data.rulings)),
        "players": list(game.words.players),
        "first": data.first,
        "repetition": REPETITION,
        "computers": computers,
        "clock": None,
        "listed": data.listed,
    }
    return _seated(await hall.open(given, data.name, data.player))


@post("/api/join", status_code=201)
async def join(data: Invitation, hall: Hall) -> Response[dict[str, Any]]:
    """Take the seat that an invitation is for."""
    return _seated(await hall.join(data.invitation, data.name))


@get("/api/matches/{id:str}")
async def match(id: str, request: Request[Any, Any, Any], hall: Hall) -> dict[str, Any]:
    """A match as the seat sees it; without a seat, as a spectator does."""
    seat = await seat_of(request, id, hall)
    return room_as_data((await hall.table(id)).room, seat)


@post("/api/matches/{id:str}/picks", status_code=200)
async def pick(
    id: str, data: Pick, request: Request[Any, Any, Any], hall: Hall
) -> Response[dict[str, Any]]:
    """Pick a number for a round; sent twice it is taken once. A stale round is a conflict."""
    seat = await own_seat(request, id, hall)
    try:
        room = await hall.pick(id, seat, data.round, data.number)
    except IllegalPick as error:
        room = (await hall.table(id)).room
        if data.round != room.match.round:
            body = problem(409, str(error)) | {"view": room_as_data(room, seat)}
            return Response(body, status_code=409, media_type="application/problem+json")
        raise
    return Response(room_as_data(room, seat))


@post("/api/matches/{id:str}/resignation", status_code=200)
async def resign(id: str, request: Request[Any, Any, Any], hall: Hall) -> dict[str, Any]:
    """Give the match up."""
    seat = await own_seat(request, id, hall)
    return room_as_data(await hall.resign(id, seat), seat)


async def seat_of(request: Request[Any, Any, Any], id: str, hall: Hall) -> Seat | None:
    """The seat of whoever asks, if they have one here."""
    token = request.headers.get(TOKEN) or request.cookies.get(cookie_name(id), "")
    return await hall.seat_of(id, token) if token else None


async def own_seat(request: Request[Any, Any, Any], id: str, hall: Hall) -> Seat:
    """The seat of whoever asks; `NotYours` for those who have none."""
    seat = await seat_of(request, id, hall)
    if seat is None:
        raise NotYours("you have no seat in this match")
    return seat


def cookie_name(id: str) -> str:
    """The cookie of a seat in one match."""
    return f"seat-{id}"


def problem(status: int, detail: str) -> dict[str, Any]:
    """A problem as RFC 9457 has it: what to mend, in one line."""
    return {"status": status, "title": HTTPException(status_code=status).detail, "detail": detail}


def _seated(opening: Opening) -> Response[dict[str, Any]]:
    """What somebody gets who has taken a seat: the token as a cookie and, for programs, as data."""
    response = Response(
        {
            "match": opening.match,
            "token": opening.token or None,
            "invitation": opening.invitation or None,
        },
        status_code=201,
    )
    if opening.token:
        response.set_cookie(
            cookie_name(opening.match),
            opening.token,
            path=f"/api/matches/{opening.match}",
            httponly=True,
            samesite="strict",
            max_age=60 * 60 * 24 * 365,
        )
    return response


def _game(game: catalog.AnyGame) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "simultaneous": game.simultaneous,
        "rulings": {key: _option(game, key) for key in game.options},
        "players": list(game.words.players),
    }


def _option(game: catalog.AnyGame, key: str) -> dict[str, Any]:
    """A ruling as a field of a form: what it means, what is allowed, what is usual."""
    option = game.options[key]
    about: dict[str, Any] = {"about": option.about, "usual": as_data(game.rulings())[key]}
    if isinstance(option, OneOf):
        return about | {"meanings": dict(option.meanings)}
    return about | {"low": option.low, "high": option.high}
