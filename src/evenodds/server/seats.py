"""Who asks: a seat by its token, in a cookie of one match or in a header."""

from typing import Any, Final

from litestar import Request
from litestar.datastructures import Cookie
from litestar.openapi.spec import Reference, SecurityScheme

from evenodds.server.hall import Hall
from evenodds.server.room import Room
from evenodds.server.table import NotYours
from evenodds.vocabulary import Seat

TOKEN: Final = "x-seat-token"
"""The header in which programs send the token of their seat."""


def cookie_name(id: str) -> str:
    """The cookie of a seat in one match."""
    return f"seat-{id}"


SCHEMES: Final[dict[str, SecurityScheme | Reference]] = {
    "token": SecurityScheme(
        type="apiKey",
        security_scheme_in="header",
        name=TOKEN,
        description="The token of a seat, as programs send it.",
    ),
    "cookie": SecurityScheme(
        type="apiKey",
        security_scheme_in="cookie",
        name=cookie_name("{id}"),
        description="The same in a browser, in a cookie named after the match.",
    ),
}
"""How a seat is known, for the documentation."""
SEATED: Final[list[dict[str, list[str]]]] = [{name: []} for name in SCHEMES]
"""What only those who sit there may do."""
ANYONE: Final[list[dict[str, list[str]]]] = [{}, *SEATED]
"""What is told to everyone, and to those who sit there a little more."""
LIFE: Final = 60 * 60 * 24 * 90
"""Seconds that a browser keeps a seat which nobody comes back to."""
AFTERWARDS: Final = 60 * 60
"""Seconds that it keeps one in a match that is over: enough for a rematch. Browsers keep some 180
cookies of a host, and those of matches that go on must not give way to those that are over."""


def token_of(request: Request[Any, Any, Any], id: str) -> str:
    """The token that a request brings for a match; empty where it brings none."""
    return request.headers.get(TOKEN) or request.cookies.get(cookie_name(id), "")


async def seat_of(request: Request[Any, Any, Any], id: str, hall: Hall) -> Seat | None:
    """The seat of whoever asks, if they have one here."""
    token = token_of(request, id)
    return await hall.seat_of(id, token) if token else None


async def own_seat(request: Request[Any, Any, Any], id: str, hall: Hall) -> Seat:
    """The seat of whoever asks; `NotYours` for those who have none."""
    seat = await seat_of(request, id, hall)
    if seat is None:
        raise NotYours("you have no seat in this match")
    return seat


def cookie(request: Request[Any, Any, Any], id: str, token: str, over: bool = False) -> Cookie:
    """A token as a cookie that scripts cannot read and that only this match gets."""
    return Cookie(
        cookie_name(id),
        value=token,
        path=f"/api/matches/{id}",
        httponly=True,
        samesite="strict",
        secure=request.scope["scheme"] == "https",
        max_age=AFTERWARDS if over else LIFE,
    )


def kept_cookies(request: Request[Any, Any, Any], room: Room) -> list[Cookie]:
    """The cookie that a browser came with, to be kept on; not for long where the match is over."""
    token = request.cookies.get(cookie_name(room.id), "")
    return [cookie(request, room.id, token, room.over)] if token else []
