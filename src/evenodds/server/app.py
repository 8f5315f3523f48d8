"""The ASGI application: routes, dependencies, startup and shutdown, error handlers."""

import contextlib
from collections.abc import AsyncGenerator, Callable
from typing import Any, Final

from litestar import Litestar, MediaType, Request, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components
from litestar.response import Response
from litestar.types import Receive, Scope, Send

from evenodds import __version__
from evenodds.server.http.metrics import Metrics
from evenodds.server.http.problems import (
    PROBLEM_MEDIA_TYPE,
    STATUS_BY_ERROR,
    documented,
    http_exception_response,
    internal_error_problem,
    known_error_response,
    respond,
    too_deep,
)
from evenodds.server.http.request import StrictJsonRequest
from evenodds.server.http.seat_auth import SCHEMES
from evenodds.server.http.security import SecurityMiddleware
from evenodds.server.jobs.supervised_tasks import SupervisedTasks
from evenodds.server.limits import ServerLimits
from evenodds.server.matches.housekeeping import run_housekeeping
from evenodds.server.matches.registry import MatchRegistry
from evenodds.server.routes import events, lobby, matches, pages, reports, study
from evenodds.server.routes.fast_path import PickFastPath
from evenodds.server.schemas import Problem
from evenodds.server.settings import Settings
from evenodds.server.storage.connect import connect
from evenodds.server.storage.database import DatabaseError
from evenodds.server.storage.ledger import Ledger

READY: Final = "All games are ready."
ROUTES: Final[list[Any]] = [
    lobby.games,
    lobby.opponents,
    lobby.matches,
    lobby.open_match,
    lobby.join,
    matches.match,
    matches.record,
    matches.pick,
    matches.reveal,
    matches.resign,
    matches.cancel,
    matches.claim,
    matches.take_back,
    matches.rematch,
    events.events,
    *study.ROUTES,
    *reports.ROUTES,
    *pages.ROUTES,
]


class Documentation(JsonRenderPlugin):
    """What the server answers to, as OpenAPI; put together when it is first asked for."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """The documentation, which says, too, that bodies may hold no fields of other names."""
        for name, schema in openapi_schema["components"]["schemas"].items():
            if name.rpartition("_")[2] in ("Wish", "Guest", "Pick", "Reveal", "TakeBack"):
                schema["additionalProperties"] = False
        return super().render(request, openapi_schema)


class App:
    """The application on a database, as ASGI."""

    def __init__(
        self,
        database: str,
        settings: Settings,
        say: Callable[[str], None] = lambda text: None,
        names: frozenset[str] = frozenset(),
    ) -> None:
        self.say = say
        self.database = database
        self.settings = settings
        self.hall: MatchRegistry | None = None
        self.metrics = Metrics()
        self.limits = limits = ServerLimits(settings)
        handlers: dict[int | type[Exception], Any] = {
            HTTPException: http_exception_response,
            RecursionError: too_deep,
            Exception: _broken,
        }
        self.litestar = Litestar(
            [*ROUTES, healthz, readyz, metrics],
            lifespan=[self._lifespan],
            dependencies={"hall": Provide(_hall, sync_to_thread=False)},
            state=State({"metrics": self.metrics}),
            exception_handlers=handlers | dict.fromkeys(STATUS_BY_ERROR, known_error_response),
            openapi_config=OpenAPIConfig(
                "Even Odds",
                __version__,
                path="/api/schema",
                components=Components(security_schemes=SCHEMES),
                use_handler_docstrings=True,
                render_plugins=[Documentation()],  # others ask other hosts for their pages
            ),
            request_class=StrictJsonRequest,
            request_max_body_size=settings.body_bytes,
            logging_config=None,
        )
        express = PickFastPath(self.litestar, lambda: self.hall)
        self._guard = SecurityMiddleware(express, limits, self.metrics, names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await self._guard(scope, receive, send)

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: Litestar) -> AsyncGenerator[None, None]:
        ledger = Ledger(await connect(self.database))
        ledger.start()
        hall = MatchRegistry(ledger, self.settings, self.limits)
        await hall.beat()
        app.state.hall = self.hall = hall
        tasks = SupervisedTasks()
        tasks.keep(lambda: run_housekeeping(hall), "housekeeping")
        tasks.start(self._prepare(hall), "preparing")
        wakeups = None
        if ledger.database.shared:  # a file of SQLite needs none, and no driver
            from evenodds.server.matches.notifications import ProcessNotifications

            wakeups = ProcessNotifications(hall, ledger.database)
            hall.tell_others, hall.ask_others = wakeups.announce, wakeups.ask
            wakeups.start()
        try:
            yield
        finally:
            await tasks.stop()
            if wakeups is not None:
                await wakeups.stop()
            await hall.stop()
            with contextlib.suppress(DatabaseError):
                await hall.outages.beat()
            await ledger.stop()

    async def _prepare(self, hall: MatchRegistry) -> None:
        """Get the games ready for the computers while people play already."""
        await hall.desk.prepare()
        self.say(READY)


@get("/healthz", sync_to_thread=False)
def healthz() -> dict[str, str]:
    """Whether the process is alive."""
    return {"status": "ok"}


@get("/readyz", responses={503: documented(Problem, "Not yet, or not any more; why.")})
async def readyz(hall: MatchRegistry) -> Response[dict[str, Any]]:
    """Whether matches can be played here now: all games are solved, and a write goes through."""
    if hall.closing:
        return respond(503, "the server is about to stop")
    if not hall.desk.ready:
        return respond(503, "the games are being solved for the computers; people can play")
    await hall.ledger.check()
    return Response({"status": "ok"})


@get("/metrics", media_type=MediaType.TEXT, sync_to_thread=False, include_in_schema=False)
def metrics(state: State, hall: MatchRegistry) -> Response[bytes]:
    """Figures for Prometheus."""
    text: bytes = state.metrics.text(hall)
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


def _hall(state: State) -> MatchRegistry:
    hall: MatchRegistry = state.hall
    return hall


def _broken(request: Request[Any, Any, Any], error: Exception) -> Response[dict[str, Any]]:
    return Response(
        internal_error_problem(error, request.scope), status_code=500, media_type=PROBLEM_MEDIA_TYPE
    )
