"""Threads that are shared fairly: each address gets its turn, however much it asks for."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")
Waiting = tuple[asyncio.Future[Any], Callable[[], Any]]
"""Who waits for some work, and the work."""


class FairPool:
    """A few threads for the work of many addresses, of which none has more than one thread."""

    def __init__(self, threads: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(threads, name)
        self._free = threads
        self._busy: Counter[str] = Counter()
        """How many threads each address has."""
        self._waiting: OrderedDict[str, deque[Waiting]] = OrderedDict()
        """What waits, by address; the address whose turn is next comes first."""

    def submit(self, address: str, work: Callable[..., T], *given: Any) -> asyncio.Future[T]:
        """Do some work when the turn of its address has come."""
        promised: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append((promised, partial(work, *given)))
        self._begin()
        return promised

    def close(self) -> None:
        """Let what has begun end by itself, and begin nothing more."""
        self._waiting.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _begin(self) -> None:
        """Begin what may begin."""
        while self._free and (address := self._next()) is not None:
            promised, work = self._waiting[address].popleft()
            if self._waiting[address]:
                self._waiting.move_to_end(address)
            else:
                del self._waiting[address]
            if promised.done():  # whoever asked is gone
                continue
            self._free -= 1
            self._busy[address] += 1
            begun = asyncio.get_running_loop().run_in_executor(self._threads, work)
            begun.add_done_callback(partial(self._end, address, promised))

    def _next(self) -> str | None:
        """The address whose turn it is."""
        return next((address for address in self._waiting if not self._busy[address]), None)

    def _end(self, address: str, promised: asyncio.Future[Any], begun: asyncio.Future[Any]) -> None:
        self._free += 1
        self._busy -= Counter([address])
        error = None if begun.cancelled() else begun.exception()
        if begun.cancelled():
            promised.cancel()
        elif not promised.done():
            if error is None:
                promised.set_result(begun.result())
            else:
                promised.set_exception(error)
        self._begin()
