"""Supervised asyncio tasks: errors are logged, and permanent tasks are restarted."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from evenodds.server.logs import LOG

RESTART_S: Final = 1.0
"""Seconds after which a task that has ended begins again."""


class SupervisedTasks:
    """The tasks of one part of the server, which end with it."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Do something once; an error that it does not know is logged."""
        task = asyncio.create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._ended)

    def keep(self, work: Callable[[], Awaitable[None]], name: str) -> None:
        """Do something for as long as the server runs: after an error it begins again."""
        self.start(_for_ever(work, name), name)

    async def stop(self) -> None:
        """End all of them."""
        running = tuple(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()):
            LOG.error("a task failed", exc_info=error, extra={"task": task.get_name()})


async def _for_ever(work: Callable[[], Awaitable[None]], name: str) -> None:
    while True:
        try:
            await work()
        except Exception:
            LOG.exception("a task failed and begins again", extra={"task": name})
        await asyncio.sleep(RESTART_S)
