"""Problems as responses: every exception as problem details (RFC 9457), or as a page."""

from http import HTTPStatus
from typing import Any, Final, cast

import msgspec
from litestar import MediaType, Request
from litestar.exceptions import HTTPException
from litestar.openapi import ResponseSpec
from litestar.response import Response

from evenodds.core import catalog
from evenodds.core.match import IllegalPick
from evenodds.core.notation import BadNotation
from evenodds.core.rule_checks import BadGame
from evenodds.core.rulings import BadRuling
from evenodds.core.terms import BadTerms
from evenodds.engine.on_demand import NotSolved
from evenodds.players.player import UnknownPlayer
from evenodds.protocol.messages import Problem, StaleRoundProblem
from evenodds.server.assets import message_page
from evenodds.server.http.request import in_words
from evenodds.server.jobs.job_queue import JobPending, ServerBusy
from evenodds.server.logs import LOG
from evenodds.server.matches.match_registry import MatchNotFound
from evenodds.server.matches.match_session import NotAuthorized
from evenodds.server.rate_limits import LimitReached, RateLimited
from evenodds.server.storage.database import DatabaseError, DatabaseRemoved

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
PROBLEM_MEDIA_TYPE: Final = "application/problem+json"
STATUS_BY_ERROR: Final[dict[type[Exception], int]] = {
    BadGame: 422,
    BadRuling: 422,
    BadTerms: 422,
    IllegalPick: 422,
    UnknownPlayer: 422,
    catalog.UnknownGame: 404,
    BadNotation: 422,
    NotSolved: 422,
    MatchNotFound: 404,
    NotAuthorized: 403,
    RateLimited: 429,
    JobPending: 202,
    ServerBusy: 503,
    DatabaseError: 503,
    LimitReached: 503,
    RecursionError: 400,
}
"""The status of each exception; subclasses have that of the nearest base."""
DETAILS: Final[dict[type[Exception], str]] = {
    DatabaseRemoved: "the database was removed; the server must be restarted",
    DatabaseError: "the database cannot be reached; nothing that was taken is lost",
    RecursionError: "what was sent is nested too deeply",
}
"""What is said of exceptions whose text is not for clients."""
DESCRIPTIONS: Final = {
    400: "What was sent is not understood.",
    403: "The seat, or the invitation, is somebody else's.",
    404: "There is no such thing.",
    405: "This cannot be done here.",
    413: "What was sent is too large.",
    415: "What was sent is not called JSON (`Content-Type: application/json`).",
    421: "The server is not known by the name in `Host`.",
    422: "The rules, or the terms, do not allow it.",
    429: "Too many requests; `Retry-After` says how long to wait.",
    503: "The server is full, or its database cannot be written.",
}


class StaleRound(Exception):
    """A request for a past round; `view` is the current view of the match as JSON."""

    def __init__(self, detail: str, view: bytes) -> None:
        super().__init__(detail)
        self.view = view


def problem_spec(shape: type[Problem], description: str) -> ResponseSpec:
    """A problem response in the OpenAPI document."""
    return ResponseSpec(
        shape, description=description, media_type=cast(MediaType, PROBLEM_MEDIA_TYPE)
    )


PROBLEMS: Final = {
    status: problem_spec(Problem, description) for status, description in DESCRIPTIONS.items()
}
"""Problem responses of all routes, for the OpenAPI document."""
STALE_PROBLEMS: Final = PROBLEMS | {
    409: problem_spec(StaleRoundProblem, "The round is over; `view` says how the match stands.")
}
"""Those of the routes whose requests name a round."""


def problem_response(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """The response to an exception that the framework has caught."""
    content, kind, status, headers = rendered_problem(error, request.scope)
    return Response(content, status_code=status, media_type=kind, headers=headers)


def rendered_problem(
    error: Exception, scope: Any, *, plain: bool = False
) -> tuple[bytes, str, int, dict[str, str]]:
    """An exception to whoever asked: content, media type, status and headers.

    For a browser that navigates it is a page or, where it is `plain`, a line: a page costs more.
    """
    body, headers = _problem(error, scope)
    title = "Not found" if body.status == 404 else "That does not work"
    if not accepts_html(scope):
        content, kind = msgspec.json.encode(body), PROBLEM_MEDIA_TYPE
    elif plain:
        content, kind = body.detail.encode(), "text/plain"
    else:
        lost = scope["path"] if body.status == 404 else ""
        content, kind = message_page(title, body.detail, lost), "text/html"
    return content, kind, body.status, headers


def accepts_html(scope: Any) -> bool:
    """Whether a browser navigates to a page."""
    if scope["method"] not in SAFE_METHODS or scope["path"].startswith("/api/"):
        return False
    return b"text/html" in dict(scope["headers"]).get(b"accept", b"")


def _problem(error: Exception, scope: Any) -> tuple[Problem, dict[str, str]]:
    """The problem details of an exception, and headers; what is unexpected is not disclosed."""
    bases = type(error).__mro__
    status = next((STATUS_BY_ERROR[each] for each in bases if each in STATUS_BY_ERROR), 500)
    detail = next((DETAILS[each] for each in bases if each in DETAILS), str(error))
    headers: dict[str, str] = {}
    if isinstance(error, StaleRound):
        view: Any = msgspec.Raw(error.view)
        return StaleRoundProblem(409, HTTPStatus(409).phrase, detail, view), headers
    if isinstance(error, HTTPException):
        status, detail = error.status_code, _detail(error, scope)
        headers = dict(error.headers or {})
    elif isinstance(error, RateLimited):
        headers = {"retry-after": str(int(error.retry_after_s) + 1)}
    elif status == 500:
        asked = {"method": scope["method"], "path": scope["path"]}
        LOG.error("a request failed", exc_info=error, extra=asked)
        detail = "something went wrong here; nothing that was acknowledged is lost"
    return Problem(status, HTTPStatus(status).phrase, detail), headers


def _detail(error: HTTPException, scope: Any) -> str:
    """What an exception of the framework says: a wrong path, method or body."""
    if isinstance(error.extra, list) and error.extra:
        message, name = (error.extra[0].get(key, "") for key in ("message", "key"))
        what = in_words(message or error.detail, scope["route_handler"].fn, name)
        return f"{name or 'the request'}: {what}"
    is_default_404 = error.status_code == 404 and error.detail == HTTPStatus(404).phrase
    return "there is nothing at this address" if is_default_404 else error.detail
