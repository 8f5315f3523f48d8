"""Who asks: a seat by its token, in a cookie of one match or in a header."""

from typing import Any, Final

from litestar import Request
from litestar.datastructures import Cookie

from evenodds.server.hall import Hall
from evenodds.server.room import Room
from evenodds.server.table import NotYours
from evenodds.vocabulary import Seat

TOKEN: Final = "x-seat-token"
"""The header in which programs send the token of their seat."""
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


def cookie_name(id: str) -> str:
    """The cookie of a seat in one match."""
    return f"seat-{id}"


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
