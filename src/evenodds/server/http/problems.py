"""Error responses as problem details (RFC 9457), and the status code of each exception."""

from http import HTTPStatus
from typing import Any, Final, cast

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
from evenodds.players.player import UnknownPlayer
from evenodds.protocol.match_view import MatchView
from evenodds.protocol.problems import Problem, StaleRoundProblem
from evenodds.server.jobs.job_queue import JobPending, ServerBusy
from evenodds.server.logs import LOG
from evenodds.server.matches.match_registry import MatchNotFound
from evenodds.server.matches.match_session import NotAuthorized
from evenodds.server.rate_limits import LimitReached, RateLimited
from evenodds.server.storage.database import DatabaseError, DatabaseRemoved
from evenodds.solver import NotSolved

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
}
"""The status of each exception; subclasses have that of the nearest base."""


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


def problem(status: int, detail: str) -> Problem:
    """The body of a problem response."""
    return Problem(status, HTTPStatus(status).phrase, detail)


def known_error_response(_: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """The response to an exception in `STATUS_BY_ERROR`."""
    status = next(STATUS_BY_ERROR[kind] for kind in type(error).__mro__ if kind in STATUS_BY_ERROR)
    if isinstance(error, DatabaseRemoved):
        return problem_response(status, "the database was removed; the server must be restarted")
    if isinstance(error, DatabaseError):
        return problem_response(
            status, "the database cannot be reached; nothing that was taken is lost"
        )
    return problem_response(status, str(error))


def http_exception_response(_: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """The response to an exception of Litestar: a wrong path, method or body."""
    detail = "there is nothing at this address" if _is_default_404(error) else error.detail
    if isinstance(error.extra, list) and error.extra:
        first = error.extra[0]
        detail = f"{first.get('key', 'the request')}: {first.get('message', detail)}"
    return problem_response(error.status_code, detail, dict(error.headers or {}))


def _is_default_404(error: HTTPException) -> bool:
    """Whether Litestar found no route; a 404 of ours has a detail."""
    return error.status_code == 404 and error.detail == HTTPStatus(404).phrase


def recursion_error_response(_: Request[Any, Any, Any], error: RecursionError) -> Response[Any]:
    """The response to JSON that is nested too deeply for its decoder."""
    return problem_response(400, "what was sent is nested too deeply")


def internal_error_problem(error: Exception, scope: Any) -> Problem:
    """The body of a response to an unexpected exception, which is logged and not disclosed."""
    asked = {"method": scope["method"], "path": scope["path"]}
    LOG.error("a request failed", exc_info=error, extra=asked)
    return problem(500, "something went wrong here; nothing that was acknowledged is lost")


def problem_response(
    status: int, detail: str, headers: dict[str, str] | None = None
) -> Response[Any]:
    """A problem response."""
    return Response(
        problem(status, detail), status_code=status, media_type=PROBLEM_MEDIA_TYPE, headers=headers
    )


def stale_response(detail: str, view: MatchView) -> Response[Any]:
    """The response to a request for a past round, with the current view."""
    body = StaleRoundProblem(409, HTTPStatus(409).phrase, detail, view)
    return Response(body, status_code=409, media_type=PROBLEM_MEDIA_TYPE)
