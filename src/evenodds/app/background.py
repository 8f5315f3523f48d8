"""Work in threads that a task awaits: a task that is cancelled waits for none of them."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from threading import Thread
from typing import Any, Final, TypeVar

from textual.screen import Screen

from evenodds.app.pages import Page, Write
from evenodds.system import Progress

T = TypeVar("T")
REPORT_INTERVAL_S: Final = 0.3
QUIET_S: Final = 1.0
"""How long work may take before it is said that something is computed."""
THREAD_NAME: Final = "background"


class GivenUp(Exception):
    """Nobody awaits the work any more."""


async def compute(work: Callable[[Progress], T], show: Callable[[str], object]) -> T:
    """The result of long work, of whose progress a line is shown a few times a second.

    When the awaiting task is cancelled, the thread goes on alone until its next report of progress.
    """
    loop, context = asyncio.get_running_loop(), copy_context()
    future: Future[T] = Future()
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

    def run() -> None:
        with suppress(InvalidStateError):  # nobody awaits it any more
            try:
                future.set_result(work(report))
            except BaseException as error:  # whoever awaits it handles it
                future.set_exception(error)

    # Not a worker of Textual: Python waits for the threads of those when it ends.
    Thread(target=run, name=THREAD_NAME, daemon=True).start()
    announcement = loop.call_later(QUIET_S, show, "This is being computed.", context=context)
    try:
        return await asyncio.wrap_future(future)
    finally:
        announcement.cancel()


async def in_thread(work: Callable[[], T]) -> T:
    """The result of work that may block."""
    return await compute(lambda _: work(), lambda _: None)


async def written(screen: Screen[Any], write: Write, show: Callable[[str], object]) -> Page:
    """A page for a screen."""
    page = Page(screen.size.width)
    await compute(partial(write, page), show)
    return page
