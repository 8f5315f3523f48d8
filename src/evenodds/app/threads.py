"""Work in threads of their own, awaited by the app."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import nullcontext, suppress
from threading import Thread
from typing import TypeVar

from evenodds.system.progress import Progress, silent
from evenodds.terminal.progress_bar import REPORT_TO

T = TypeVar("T")


async def in_thread(work: Callable[[], T], report: Progress = silent) -> T:
    """The result of some work, whose progress is reported in its thread.

    Nobody waits for the thread after a cancellation, or when the app is left.
    """
    result: Future[T] = Future()

    def run() -> None:
        REPORT_TO.set(lambda: nullcontext(report))
        with suppress(InvalidStateError):  # nobody waits any more
            try:
                result.set_result(work())
            except BaseException as error:  # raised where the result is awaited
                result.set_exception(error)

    Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(result)
