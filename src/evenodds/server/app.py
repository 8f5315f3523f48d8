"""The ASGI application: routes, dependencies, startup and shutdown, error handlers."""

import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial
from typing import Any, Final

from litestar import Litestar, MediaType, Request, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException, ServiceUnavailableException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components
from litestar.response import Response
from litestar.types import Receive, Scope, Send

from evenodds.core import catalog
from evenodds.protocol.messages import Problem
from evenodds.server.http.metrics import Metrics
from evenodds.server.http.problems import problem_response, problem_spec
from evenodds.server.http.request import SCHEMES, StrictJsonRequest
from evenodds.server.http.security import SecurityMiddleware
from evenodds.server.jobs import SupervisedTasks
from evenodds.server.jobs.folder_watch import watch_folders
from evenodds.server.matches.housekeeping import run_absences, run_housekeeping
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.matches.opening import offered_games
from evenodds.server.rate_limits import ServerLimits
from evenodds.server.routes import events, lobby, matches, pages, puzzles, study
from evenodds.server.routes.matches import PickHandler
from evenodds.server.settings import Settings
from evenodds.server.storage.connect import open_database
from evenodds.server.storage.database import DatabaseError
from evenodds.server.storage.ledger import Ledger
from evenodds.system import __version__

MESSAGES: Final = ("GrantedSeat", "MatchEnding", "MatchView", "Presence", "Rematch")
ROUTES: Final = [
    handler
    for module in (lobby, matches, events, study, puzzles, pages)
    for handler in vars(module).values()
    if isinstance(handler, HTTPRouteHandler)
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
    """The ASGI application on a database that has its tables already."""

    def __init__(
        self,
        database: str,
        settings: Settings,
        say: Callable[[str], None] = lambda text: None,
        names: frozenset[str] = frozenset(),
        address: str | None = None,
        restart: Callable[[], None] = lambda: None,
    ) -> None:
        self.say = say
        self.restart = restart
        self.database = database
        self.settings = settings
        self.registry: MatchRegistry | None = None
        self.metrics = Metrics()
        self.limits = limits = ServerLimits(settings)
        self.litestar = Litestar(
            [*ROUTES, healthz, readyz, metrics],
            lifespan=[self._lifespan],
            dependencies={"registry": Provide(_registry, sync_to_thread=False)},
            state=State({"metrics": self.metrics, "address": address}),
            exception_handlers={HTTPException: problem_response, Exception: problem_response},
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
        app = PickHandler(self.litestar, settings.body_bytes)
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
        tasks.run_forever(lambda: puzzles.run_daily(registry), "puzzle of the day")
        tasks.start(self._prepare(registry), "preparing")
        if catalog.folders():
            watched = partial(watch_folders, self.say, self.restart)
            tasks.start(watched(), "folders of games")
        if ledger.database.shared:  # SQLite serves one process, and needs no asyncpg
            from evenodds.server.matches.notifications import ProcessNotifications

            notifications = ProcessNotifications(registry, tasks)
            registry.announce = notifications.announce
            notifications.start()
        try:
            yield
        finally:
            # What writes stops before the ledger; the last heartbeat is where an outage begins.
            await tasks.stop()
            await registry.stop()
            with contextlib.suppress(DatabaseError):
                await registry.outages.heartbeat()
            await ledger.stop()

    async def _prepare(self, registry: MatchRegistry) -> None:
        """Solve the games for the computers; matches between people can be played meanwhile."""
        await registry.solve_queue.prepare(offered_games())
        self.say("All games are ready.")


@get("/healthz", sync_to_thread=False)
def healthz() -> dict[str, str]:
    """Whether the process is alive."""
    return {"status": "ok"}


@get("/readyz", responses={503: problem_spec(Problem, "Not yet, or not any more; why.")})
async def readyz(registry: MatchRegistry) -> Response[dict[str, Any]]:
    """Whether matches can be played here now: all games are solved, and one can be opened."""
    if registry.closing:
        raise ServiceUnavailableException("the server is about to stop")
    if not registry.solve_queue.ready:
        solving = "the games are being solved for the computers; people can play"
        raise ServiceUnavailableException(solving)
    if "listening" in registry.ledger.database.failing:
        unheard = "picks at other processes are not heard here at the moment"
        raise ServiceUnavailableException(unheard)
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
