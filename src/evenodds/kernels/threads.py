"""Thread pool over all cores with progress reports for compilation and cancellation."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, Final

from evenodds.system.environment import core_limit
from evenodds.system.progress import Progress, silent

CHUNK_POSITIONS: Final = 5_000
"""Positions per task: few enough that an interruption takes effect soon."""
MIN_PARALLEL_ITEMS: Final = 500
COMPILING_STAGE: Final = "preparing functions"
"""The progress stage of compilation, which happens when a kernel is first called."""


class CompilationStopped(Exception):
    """Raised between two functions in a thread whose work was cancelled."""


class WorkerThreads:
    """A thread for each core, and the flag that stops them.

    Threads are enough: kernels release the GIL.
    """

    def __init__(self) -> None:
        self.size = core_limit()
        self.pool = ThreadPoolExecutor(self.size)
        self.stopped = False


@contextmanager
def worker_threads(progress: Progress = silent) -> Iterator[WorkerThreads]:
    """A thread pool; when the block is left by an error, queued tasks are cancelled."""
    threads = WorkerThreads()
    with report_compilation(progress, lambda: threads.stopped):
        try:
            yield threads
        finally:
            threads.stopped = True
            threads.pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def report_compilation(
    progress: Progress, stopped: Callable[[], bool] = lambda: False
) -> Iterator[None]:
    """Report how many functions of a kernel are compiled; stop between two when asked to.

    Does nothing while Numba is not imported: then nothing compiles.
    """
    if "numba" not in sys.modules:
        yield
        return
    from numba.core.event import Event, Listener, install_listener

    class CompilationListener(Listener):
        """Counts compiled functions. No lock: Numba compiles under a global lock of its own."""

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
            if not self.depth:  # it began before this listener, or was stopped
                return
            self.depth -= 1
            self.ready |= {event.data["dispatcher"]} & self.needed
            progress(COMPILING_STAGE, len(self.ready), len(self.needed))

    with install_listener("numba:compile", CompilationListener()):
        yield


def _called_by(kernel: Any) -> frozenset[Any]:
    """A compiled function and the compiled functions that it calls, directly or not."""
    found, waiting = set(), [kernel]
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


def split_range(count: int, max_size: int = CHUNK_POSITIONS) -> list[tuple[int, int]]:
    """A range cut into pieces of about the same size, at least one for each core."""
    pieces = 1 if count < MIN_PARALLEL_ITEMS else max(core_limit(), -(-count // max_size))
    cuts = [count * piece // pieces for piece in range(pieces + 1)]
    return list(pairwise(cuts))
