"""The one door to rooms of the server, for clocks, limits and faults that are handed in."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from evenodds.figures import percent
from evenodds.players.registry import opponent
from evenodds.protocol.events import Joined, Picked, Played
from evenodds.render.rulebook import outline
from evenodds.server import app
from evenodds.server.assets import PLAIN_BOARD, _board
from evenodds.server.http.connections import Connections, proxy_networks
from evenodds.server.http.metrics import Metrics
from evenodds.server.http.security import SecurityMiddleware
from evenodds.server.jobs import SupervisedTasks
from evenodds.server.jobs.job_queue import FairLane, JobKey, JobPending, JobQueue, ServerBusy
from evenodds.server.jobs.solve_queue import *
from evenodds.server.jobs.worker_processes import *
from evenodds.server.logs import JsonFormatter, QueuedHandler
from evenodds.server.matches import housekeeping
from evenodds.server.matches.computers import Computers
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.matches.match_session import ARRIVAL_S, MatchSession
from evenodds.server.matches.opening import MatchOptions, is_valid
from evenodds.server.matches.outages import Outages
from evenodds.server.rate_limits import RateLimited, ServerLimits, TokenBuckets
from evenodds.server.routes.lobby import _check_computers
from evenodds.server.routes.puzzles import keep_puzzle, run_daily
from evenodds.server.settings import Settings
from evenodds.server.storage.connect import connect, open_database
from evenodds.server.storage.database import DatabaseError, DatabaseRemoved
from evenodds.server.storage.ledger import Ledger
from evenodds.server.storage.ledger_entries import *
from evenodds.server.storage.postgresql import PostgresqlDatabase
from evenodds.server.storage.schema import HEARTBEAT
from evenodds.server.storage.sqlite import SqliteDatabase
from evenodds.workers.task import OUT_OF_MEMORY_REASON, Task, TaskResult
from tests.support.waiting import TIMEOUT_S

Result = TypeVar("Result")


@asynccontextmanager
async def registry_at(
    home: Path,
    *,
    solve_queue: SolveQueue | None = None,
    ledger_kind: type[Ledger] = Ledger,
    **computers: Any,
) -> AsyncIterator[MatchRegistry]:
    """A registry without a network; what else is given are parts and limits of its computers."""
    settings = Settings()
    ledger = ledger_kind(await connect(f"sqlite:///{home / 'server.sqlite'}"))
    ledger.start()
    registry = MatchRegistry(ledger, settings, ServerLimits(settings), solve_queue)
    if computers:
        given = {"unwatched_s": settings.unwatched_seconds} | computers
        registry.computers = Computers(registry.referee, registry.solve_queue, **given)
        registry.writer.on_decided = registry.computers.schedule
    try:
        yield registry
    finally:
        async with asyncio.timeout(TIMEOUT_S):  # a ledger that has died would never stop
            await registry.stop()
            await ledger.stop()


def solving(solve: Callable[[Any], Any] = solve_terms, **limits: float) -> SolveQueue:
    """A queue that solves by this function, in this process, within limits of its own."""
    queue = SolveQueue(solve, lambda *_: None)
    vars(queue).update(limits)
    return queue


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Do something in a loop of its own; what hangs is an error."""
    return asyncio.run(asyncio.wait_for(work, TIMEOUT_S))


def in_a_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test with a loop of its own."""

    @wraps(test)
    def in_its_loop(*given: Any, **more: Any) -> None:
        run(test(*given, **more))

    return in_its_loop


async def until(true: Callable[[], object]) -> None:
    while not true():
        await asyncio.sleep(0.005)
