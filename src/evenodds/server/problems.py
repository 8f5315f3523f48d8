"""What is refused, as RFC 9457 has it: a status, and in one line what to mend."""

from http import HTTPStatus
from typing import Any, Final

from litestar import Request
from litestar.exceptions import HTTPException
from litestar.response import Response

from evenodds import catalog
from evenodds.match import IllegalPick
from evenodds.players import UnknownPlayer
from evenodds.rulings import BadRuling
from evenodds.server.entries import Unwritable
from evenodds.server.hall import Full, NoMatch
from evenodds.server.limits import TooOften
from evenodds.server.table import NotYours
from evenodds.terms import BadTerms

TYPE: Final = "application/problem+json"
STATUS: Final[dict[type[Exception], int]] = {
    BadRuling: 422,
    BadTerms: 422,
    IllegalPick: 422,
    UnknownPlayer: 422,
    catalog.UnknownGame: 404,
    NoMatch: 404,
    NotYours: 403,
    TooOften: 429,
    Full: 503,
    Unwritable: 503,
}
"""What each refusal of the house is called in HTTP."""


def problem(status: int, detail: str) -> dict[str, Any]:
    """A problem as data."""
    return {"status": status, "title": HTTPStatus(status).phrase, "detail": detail}


def refused(_: Request[Any, Any, Any], error: Exception) -> Response[dict[str, Any]]:
    """A refusal of the house."""
    status = next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)
    return respond(status, str(error))


def unfit(_: Request[Any, Any, Any], error: HTTPException) -> Response[dict[str, Any]]:
    """A refusal of the framework: a wrong path, method, body."""
    detail = error.detail
    if isinstance(error.extra, list) and error.extra:
        first = error.extra[0]
        detail = f"{first.get('key', 'the request')}: {first.get('message', detail)}"
    return respond(error.status_code, detail, dict(error.headers or {}))


def respond(
    status: int, detail: str, headers: dict[str, str] | None = None, **more: Any
) -> Response[dict[str, Any]]:
    """A problem as an answer, with whatever else it carries."""
    return Response(
        problem(status, detail) | more, status_code=status, media_type=TYPE, headers=headers
    )
