"""Thread pool over all cores with progress reports for compilation and cancellation."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, Final

from evenodds.system.environment import core_limit

CHUNK_POSITIONS: Final = 5_000
"""Positions that a thread takes at once; small enough that an interruption is felt soon."""
MIN_PARALLEL_ITEMS: Final = 500
COMPILING_STAGE: Final = "preparing functions"
"""The stage in which loops compile: each does when it is first called."""

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it, and of how much (0 where that is not known).

What is being done is a verb, and after it what is counted."""


def silent(stage: str, done: int, total: int) -> None:
    """Tell nobody of progress."""


class CompilationStopped(Exception):
    """Raised in a thread that need not go on."""


class WorkerThreads:
    """A thread for each core, and whether they are to stop."""

    def __init__(self) -> None:
        self.size = core_limit()
        self.pool = ThreadPoolExecutor(self.size)
        self.stopped = False


@contextmanager
def worker_threads(progress: Progress = silent) -> Iterator[WorkerThreads]:
    """Threads for a while; when the work is interrupted, what has not begun never does."""
    found = WorkerThreads()
    with report_compilation(progress, lambda: found.stopped):
        try:
            yield found
        finally:
            found.stopped = True
            found.pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def report_compilation(
    progress: Progress, stopped: Callable[[], bool] = lambda: False
) -> Iterator[None]:
    """While loops compile, tell how many of their functions are ready; stop between two if asked.

    Nothing is done where the compiler has not been loaded: then nothing compiles.
    """
    if "numba" not in sys.modules:
        yield
        return
    from numba.core.event import Event, Listener, install_listener

    class Readying(Listener):
        """Hears of each function; the compiler lets one thread in at a time."""

        depth = 0
        needed: frozenset[Any]
        ready: set[Any]

        def on_start(self, event: Event) -> None:
            if stopped():
                raise CompilationStopped
            if not self.depth:
                self.needed = _called_by(event.data["dispatcher"])
                self.ready = set()
                progress(COMPILING_STAGE, 0, len(self.needed))
            self.depth += 1

        def on_end(self, event: Event) -> None:
            if not self.depth:  # it began before anybody listened, or was stopped
                return
            self.depth -= 1
            self.ready |= {event.data["dispatcher"]} & self.needed
            progress(COMPILING_STAGE, len(self.ready), len(self.needed))

    with install_listener("numba:compile", Readying()):
        yield


def _called_by(loop: Any) -> frozenset[Any]:
    """A compiled function with all that it calls and that are compiled with it."""
    found, waiting = set(), [loop]
    while waiting:
        one = waiting.pop()
        if not hasattr(one, "py_func") or one in found:
            continue
        found.add(one)
        names = one.py_func.__code__.co_names
        waiting += [
            one.py_func.__globals__[name] for name in names if name in one.py_func.__globals__
        ]
    return frozenset(found)


def split_range(count: int, most: int = CHUNK_POSITIONS) -> list[tuple[int, int]]:
    """Work cut into pieces of about the same size, one for each core or more."""
    pieces = 1 if count < MIN_PARALLEL_ITEMS else max(core_limit(), -(-count // most))
    cuts = [count * piece // pieces for piece in range(pieces + 1)]
    return list(pairwise(cuts))
