"""Progress of compilation by Numba, and its cancellation."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from evenodds.system.progress import Progress

COMPILING_STAGE: Final = "preparing functions"
"""The progress stage of compilation, which happens when a kernel is first called."""


class CompilationStopped(Exception):
    """Raised between two functions in a thread whose work was cancelled."""


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
