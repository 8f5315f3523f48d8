"""Match registries without a network, each in an event loop of the test's own."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.rate_limits import ServerLimits
from evenodds.server.settings import Settings
from evenodds.server.storage.connect import connect
from evenodds.server.storage.ledger import Ledger
from tests.support.waiting import TIMEOUT_S

T = TypeVar("T")


@asynccontextmanager
async def registry_at(home: Path, settings: Settings | None = None) -> AsyncIterator[MatchRegistry]:
    """A registry on the database in a folder."""
    settings = settings or Settings()
    ledger = Ledger(await connect(f"sqlite:///{home / 'server.sqlite'}"))
    ledger.start()
    registry = MatchRegistry(ledger, settings, ServerLimits(settings))
    try:
        yield registry
    finally:
        async with asyncio.timeout(TIMEOUT_S):  # a ledger that has died would never stop
            await registry.stop()
            await ledger.stop()


def run(work: Coroutine[Any, Any, T]) -> T:
    """Do something in a loop of its own; what hangs is an error."""
    return asyncio.run(asyncio.wait_for(work, TIMEOUT_S))


async def until(true: Callable[[], object]) -> None:
    """Wait until something is so; `run` has the limit."""
    while not true():
        await asyncio.sleep(0.005)
