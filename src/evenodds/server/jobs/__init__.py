"""Background work: a job queue for solves and reports, fair between addresses; supervised tasks.

All of it keeps slow work off the event loop, in threads or in worker processes. Errors of tasks are
logged, and permanent tasks are restarted.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from evenodds.server.logs import LOG


class SupervisedTasks:
    """The tasks of one component, cancelled together; permanent ones restart after a delay."""

    def __init__(self, restart_s: float = 1.0) -> None:
        self.restart_s = restart_s
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Run a coroutine once; an unexpected error is logged."""
        task = asyncio.create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._ended)

    def run_forever(self, work: Callable[[], Awaitable[None]], name: str) -> None:
        """Run a coroutine function again whenever it ends or fails, until stopped."""

        async def forever() -> None:
            while True:
                try:
                    await work()
                except Exception:
                    LOG.exception("a task failed and begins again", extra={"task": name})
                await asyncio.sleep(self.restart_s)

        self.start(forever(), name)

    async def stop(self) -> None:
        """Cancel all tasks and wait for their end."""
        running = tuple(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()):
            LOG.error("a task failed", exc_info=error, extra={"task": task.get_name()})
