"""Turns at something scarce, shared fairly between addresses."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class FairQueue:
    """Lets so many in at once; of those who wait, each address has a turn before any has two."""

    def __init__(self, at_once: int = 1) -> None:
        self._free = at_once
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """By address who waits; the address whose turn is next first."""

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait for a turn of an address, and have it for a while."""
        await self._enter(address)
        try:
            yield
        finally:
            self._pass_on()

    async def _enter(self, address: str) -> None:
        if self._free:
            self._free -= 1
            return
        place = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(place)
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():  # the turn had come already
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """Give a turn to whoever is next; those who have gone away are passed over."""
        while self._waiting:
            address, places = self._waiting.popitem(last=False)
            place = places.popleft()
            if places:
                self._waiting[address] = places  # at the end: the others have theirs first
            if not place.done():
                place.set_result(None)
                return
        self._free += 1
