"""Fair scheduling by address: a round-robin queue."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")


class FairQueue:
    """Admits a limited number of addresses, each once at a time; waiting addresses take turns."""

    def __init__(self, concurrency: int = 1) -> None:
        self._concurrency = concurrency
        self._threads = ThreadPoolExecutor(concurrency)  # own ones: other lanes may be slower
        self._active: set[str] = set()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """Waiting requests by address; the address whose turn is next comes first."""

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait for the turn of an address, and hold it for the `with` block."""
        future = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(future)
        self._admit()
        try:
            await future
            yield
        finally:
            if future.done() and not future.cancelled():  # else it was cancelled before its turn
                self._active.remove(address)
                self._admit()

    async def run(self, address: str, work: Callable[..., T], *args: Any) -> T:
        """The result of some work, run in a thread when it is the turn of its address."""
        async with self.turn(address):
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, partial(work, *args))

    def _admit(self) -> None:
        """Admit the next waiting requests; cancelled ones are skipped."""
        while len(self._active) < self._concurrency:
            address = next((each for each in self._waiting if each not in self._active), None)
            if address is None:
                return
            futures = self._waiting.pop(address)
            future = futures.popleft()
            if futures:
                self._waiting[address] = futures  # to the end: round robin among the addresses
            if not future.done():
                self._active.add(address)
                future.set_result(None)
