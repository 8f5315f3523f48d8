"""Work in threads that a task awaits: a task that is cancelled waits for none of them."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from threading import Thread
from typing import Final, TypeVar

from evenodds.system import Progress

T = TypeVar("T")
REPORT_INTERVAL_S: Final = 0.3
THREAD_NAME: Final = "background"


class GivenUp(Exception):
    """Nobody awaits the work any more."""


async def compute(work: Callable[[Progress], T], show: Callable[[str], object]) -> T:
    """The result of long work, of whose progress a line is shown a few times a second.

    When the awaiting task is cancelled, the thread goes on alone until its next report of progress.
    """
    loop, context = asyncio.get_running_loop(), copy_context()
    future: asyncio.Future[T] = loop.create_future()
    reported_at = time.monotonic()

    def report(stage: str, done: int, total: int) -> None:
        nonlocal reported_at
        if future.cancelled():
            raise GivenUp
        now = time.monotonic()
        if now > reported_at + REPORT_INTERVAL_S:
            reported_at = now
            verb, _, counted = stage.partition(" ")
            of = f" of {total:,}" if total else ""
            line = f"{verb.capitalize()}: {done:,}{of} {counted}"
            loop.call_soon_threadsafe(show, line, context=context)

    def finish(result: T | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(result)  # type: ignore[arg-type]
        else:
            future.set_exception(error)

    def run() -> None:
        result, error = None, None
        try:
            result = work(report)
        except BaseException as failure:  # whoever awaits it handles it
            error = failure
        with suppress(RuntimeError):  # the app has closed
            loop.call_soon_threadsafe(finish, result, error)

    # Not a worker of Textual: Python waits for the threads of those when it ends.
    Thread(target=run, name=THREAD_NAME, daemon=True).start()
    return await future


async def in_thread(work: Callable[[], T]) -> T:
    """The result of work that may block."""
    return await compute(lambda _: work(), lambda _: None)
