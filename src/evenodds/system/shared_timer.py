"""Calls that are due after the same delay, on one timer of the event loop.

Most of them are cancelled before they are due; a timer of the loop for each costs more.
"""

import asyncio
from collections.abc import Callable


class SharedTimer:
    """Calls that are due some seconds after they were started, the earliest first."""

    def __init__(self, delay_s: float) -> None:
        self.delay_s = delay_s
        self._due: dict[Callable[[], None], float] = {}
        self._timer: asyncio.TimerHandle | None = None

    def start(self, call: Callable[[], None]) -> None:
        """Call this after the delay; one that is started already keeps its time."""
        loop = asyncio.get_running_loop()
        self._due.setdefault(call, loop.time() + self.delay_s)
        if self._timer is None:
            self._timer = loop.call_later(self.delay_s, self._run)

    def cancel(self, call: Callable[[], None]) -> None:
        """Do not call this any more."""
        self._due.pop(call, None)

    def _run(self) -> None:
        self._timer = None
        loop = asyncio.get_running_loop()
        while self._due:
            call, due = next(iter(self._due.items()))
            if due > loop.time():
                self._timer = loop.call_at(due, self._run)
                return
            del self._due[call]
            loop.call_soon(call)  # an error of one is no matter of the others
