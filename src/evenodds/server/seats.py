"""Who asks: a seat by its token, in a cookie of one match or in a header."""

from typing import Any, Final

from litestar import Request
from litestar.response import Response

from evenodds.server.hall import Hall
from evenodds.server.table import NotYours
from evenodds.vocabulary import Seat

TOKEN: Final = "x-seat-token"
"""The header in which programs send the token of their seat."""
YEAR: Final = 60 * 60 * 24 * 365


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


def give_seat(
    response: Response[Any], request: Request[Any, Any, Any], id: str, token: str
) -> None:
    """Send a token as a cookie that scripts cannot read and that only this match gets."""
    response.set_cookie(
        cookie_name(id),
        token,
        path=f"/api/matches/{id}",
        httponly=True,
        samesite="strict",
        secure=request.scope["scheme"] == "https",
        max_age=YEAR,
    )
