"""The ASGI application: routes, dependencies, startup and shutdown, error handlers."""

import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
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

from evenodds.protocol.problems import Problem
from evenodds.server.http.metrics import Metrics
from evenodds.server.http.problems import (
    PROBLEM_MEDIA_TYPE,
    STATUS_BY_ERROR,
    http_exception_response,
    internal_error_problem,
    known_error_response,
    problem_response,
    problem_spec,
    recursion_error_response,
)
from evenodds.server.http.request import StrictJsonRequest
from evenodds.server.http.seat_auth import SCHEMES
from evenodds.server.http.security import SecurityMiddleware
from evenodds.server.jobs.supervised_tasks import SupervisedTasks
from evenodds.server.matches.housekeeping import run_absences, run_housekeeping
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.rate_limits import ServerLimits
from evenodds.server.routes import events, lobby, matches, pages, puzzles, reports, study
from evenodds.server.routes.quick_picks import QuickPicks
from evenodds.server.settings import Settings
from evenodds.server.storage.connect import open_database
from evenodds.server.storage.database import DatabaseError
from evenodds.server.storage.ledger import Ledger
from evenodds.system.version import __version__

READY_MESSAGE: Final = "All games are ready."
MESSAGES: Final = ("GrantedSeat", "MatchEnding", "MatchView", "Presence", "Rematch")
ROUTES: Final[list[Any]] = [
    lobby.games,
    lobby.opponents,
    lobby.address,
    lobby.matches,
    lobby.open_match,
    lobby.invitation,
    lobby.join,
    matches.match,
    matches.record,
    matches.pick,
    matches.reveal,
    matches.resign,
    matches.cancel,
    matches.claim,
    matches.take_back,
    matches.react,
    matches.rematch,
    events.events,
    *study.ROUTES,
    *puzzles.ROUTES,
    *reports.ROUTES,
    *pages.ROUTES,
]


class Documentation(JsonRenderPlugin):
    """The OpenAPI document, generated at the first request for it."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """The document; it adds that requests have no unknown fields, and messages all fields.

        Defaults of messages are for clients of other versions.
        """
        for name, schema in openapi_schema["components"]["schemas"].items():
            if name.endswith("Request"):
                schema["additionalProperties"] = False
            elif name in MESSAGES:
                schema["required"] = sorted(schema["properties"])
        return super().render(request, openapi_schema)


class App:
    """The ASGI application on a database that is migrated already."""

    def __init__(
        self,
        database: str,
        settings: Settings,
        say: Callable[[str], None] = lambda text: None,
        names: frozenset[str] = frozenset(),
        address: str | None = None,
    ) -> None:
        self.say = say
        self.database = database
        self.settings = settings
        self.registry: MatchRegistry | None = None
        self.metrics = Metrics()
        self.limits = limits = ServerLimits(settings)
        handlers: dict[int | type[Exception], Any] = {
            HTTPException: http_exception_response,
            RecursionError: recursion_error_response,
            Exception: _internal_error_response,
        }
        self.litestar = Litestar(
            [*ROUTES, healthz, readyz, metrics],
            lifespan=[self._lifespan],
            dependencies={"registry": Provide(_registry, sync_to_thread=False)},
            state=State({"metrics": self.metrics, "address": address}),
            exception_handlers=handlers | dict.fromkeys(STATUS_BY_ERROR, known_error_response),
            openapi_config=OpenAPIConfig(
                "Even Odds",
                __version__,
                path="/api/schema",
                components=Components(security_schemes=SCHEMES),
                use_handler_docstrings=True,
                render_plugins=[Documentation()],  # others load scripts from other hosts
            ),
            request_class=StrictJsonRequest,
            request_max_body_size=settings.body_bytes,
            logging_config=None,
        )
        app = QuickPicks(self.litestar, lambda: self.registry)
        self._middleware = SecurityMiddleware(app, limits, self.metrics, names)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Handle a request."""
        return self._middleware(scope, receive, send)

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: Litestar) -> AsyncGenerator[None, None]:
        ledger = Ledger(open_database(self.database))
        ledger.start()
        registry = MatchRegistry(ledger, self.settings, self.limits)
        await registry.heartbeat()  # before the first request: it adds the outage to all deadlines
        app.state.registry = self.registry = registry
        tasks = SupervisedTasks()
        tasks.run_forever(lambda: run_housekeeping(registry), "housekeeping")
        tasks.run_forever(lambda: run_absences(registry), "absences")
        tasks.start(self._prepare(registry), "preparing")
        notifications = None
        if ledger.database.shared:  # SQLite serves one process, and needs no asyncpg
            from evenodds.server.matches.notifications import ProcessNotifications

            notifications = ProcessNotifications(registry, ledger.database)
            registry.announce_reaction = notifications.announce_reaction
            registry.announce_presence, registry.request_presence = (
                notifications.announce,
                notifications.request,
            )
            notifications.start()
        try:
            yield
        finally:
            # What writes stops before the ledger; the last heartbeat is where an outage begins.
            await tasks.stop()
            if notifications is not None:
                await notifications.stop()
            await registry.stop()
            with contextlib.suppress(DatabaseError):
                await registry.outages.heartbeat()
            await ledger.stop()

    async def _prepare(self, registry: MatchRegistry) -> None:
        """Solve the games for the computers; matches between people can be played meanwhile."""
        await registry.solve_queue.prepare()
        self.say(READY_MESSAGE)


@get("/healthz", sync_to_thread=False)
def healthz() -> dict[str, str]:
    """Whether the process is alive."""
    return {"status": "ok"}


@get("/readyz", responses={503: problem_spec(Problem, "Not yet, or not any more; why.")})
async def readyz(registry: MatchRegistry) -> Response[dict[str, Any]]:
    """Whether matches can be played here now: all games are solved, and one can be opened."""
    if registry.closing:
        return problem_response(503, "the server is about to stop")
    if not registry.solve_queue.ready:
        return problem_response(
            503, "the games are being solved for the computers; people can play"
        )
    if registry.ledger.database.availability.is_failing("listening"):
        return problem_response(503, "picks at other processes are not heard here at the moment")
    await registry.ledger.recent_check()
    return Response({"status": "ok"})


@get("/metrics", media_type=MediaType.TEXT, sync_to_thread=False, include_in_schema=False)
def metrics(state: State, registry: MatchRegistry) -> Response[bytes]:
    """Metrics for Prometheus."""
    text: bytes = state.metrics.text(registry)
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


def _registry(state: State) -> MatchRegistry:
    registry: MatchRegistry = state.registry
    return registry


def _internal_error_response(
    request: Request[Any, Any, Any], error: Exception
) -> Response[Problem]:
    return Response(
        internal_error_problem(error, request.scope), status_code=500, media_type=PROBLEM_MEDIA_TYPE
    )
