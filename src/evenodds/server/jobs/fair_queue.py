"""Fair scheduling by address: a round-robin queue, and a thread pool behind it."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, TypeVar

T = TypeVar("T")


class FairQueue:
    """Lets so many addresses in at once, each of them once; those who wait take turns."""

    def __init__(self, at_once: int = 1) -> None:
        self._at_once = at_once
        self._inside: set[str] = set()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """By address who waits; the address whose turn is next first."""

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait for a turn of an address, and have it for a while."""
        place = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(place)
        self._admit()
        try:
            await place
            yield
        finally:
            if place.done() and not place.cancelled():  # else it went away before its turn
                self._inside.remove(address)
                self._admit()

    def _admit(self) -> None:
        """Let in whoever is next; those who have gone away are passed over."""
        while len(self._inside) < self._at_once:
            address = next((each for each in self._waiting if each not in self._inside), None)
            if address is None:
                return
            places = self._waiting.pop(address)
            place = places.popleft()
            if places:
                self._waiting[address] = places  # at the end: the others have theirs first
            if not place.done():
                self._inside.add(address)
                place.set_result(None)


class FairPool:
    """A few threads for the work of many addresses, of which none has more than one thread."""

    def __init__(self, threads: int, name: str) -> None:
        self._queue = FairQueue(threads)
        self._threads = ThreadPoolExecutor(threads, name)

    async def run(self, address: str, work: Callable[..., T], *given: Any) -> T:
        """What comes of some work, done when the turn of its address has come."""
        async with self._queue.turn(address):
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *given)

    def close(self) -> None:
        """Let what has begun end by itself, and begin nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
