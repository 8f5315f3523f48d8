"""The application: routes, what they stand on, and what becomes of errors."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from litestar import Litestar, MediaType, Request, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.response import File, Response
from litestar.static_files import create_static_files_router

from evenodds import __version__, catalog
from evenodds.match import IllegalPick
from evenodds.players import UnknownPlayer
from evenodds.rulings import BadRuling
from evenodds.server import api, stream
from evenodds.server.database import connect
from evenodds.server.hall import Hall, NoMatch, NotYours
from evenodds.server.ledger import Ledger, Unwritable
from evenodds.terms import BadTerms

STATIC: Final = Path(__file__).with_name("static")
LARGEST_BODY: Final = 16 * 1024
STATUS: Final[dict[type[Exception], int]] = {
    BadRuling: 422,
    BadTerms: 422,
    IllegalPick: 422,
    UnknownPlayer: 422,
    catalog.UnknownGame: 404,
    NoMatch: 404,
    NotYours: 403,
    Unwritable: 503,
}
"""What each refusal of the house is called in HTTP."""


def create_app(database: str) -> Litestar:
    """The application on a database."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncGenerator[None, None]:
        ledger = Ledger(await connect(database))
        ledger.start()
        app.state.hall = hall = Hall(ledger)
        try:
            yield
        finally:
            await hall.stop()
            await ledger.stop()

    routes: list[Any] = [
        api.games,
        api.opponents,
        api.matches,
        api.open_match,
        api.join,
        api.match,
        api.pick,
        api.resign,
        stream.events,
        lobby,
        table,
        healthz,
        create_static_files_router("/static", [STATIC]),
    ]
    handlers: dict[int | type[Exception], Any] = {HTTPException: _http_problem}
    handlers |= dict.fromkeys(STATUS, _problem)
    return Litestar(
        routes,
        lifespan=[lifespan],
        dependencies={"hall": Provide(_hall, sync_to_thread=False)},
        exception_handlers=handlers,
        openapi_config=OpenAPIConfig("Even Odds", __version__, path="/api/schema"),
        request_max_body_size=LARGEST_BODY,
        logging_config=None,
    )


@get("/", media_type=MediaType.HTML, include_in_schema=False)
async def lobby() -> File:
    """The page on which a game is chosen."""
    return File(STATIC / "index.html", content_disposition_type="inline")


@get("/match/{id:str}", media_type=MediaType.HTML, include_in_schema=False)
async def table(id: str) -> File:
    """The page on which a match is played."""
    return File(STATIC / "match.html", content_disposition_type="inline")


@get("/healthz", sync_to_thread=False)
def healthz() -> dict[str, str]:
    """Whether the process is alive."""
    return {"status": "ok"}


def _hall(state: State) -> Hall:
    hall: Hall = state.hall
    return hall


def _problem(_: Request[Any, Any, Any], error: Exception) -> Response[dict[str, Any]]:
    """A refusal of the house."""
    status = next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)
    return _respond(status, str(error))


def _http_problem(_: Request[Any, Any, Any], error: HTTPException) -> Response[dict[str, Any]]:
    """A refusal of the framework: a wrong path, method, body."""
    detail = error.detail
    if isinstance(error.extra, list) and error.extra:
        first = error.extra[0]
        detail = f"{first.get('key', 'the request')}: {first.get('message', detail)}"
    return _respond(error.status_code, detail)


def _respond(status: int, detail: str) -> Response[dict[str, Any]]:
    body = api.problem(status, detail)
    return Response(body, status_code=status, media_type="application/problem+json")
