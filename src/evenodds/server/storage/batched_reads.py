"""Reads by key that share queries: one for all that arrive while the query before is under way."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class BatchedReads(Generic[T]):
    """Reads rows by key, with as few queries as possible."""

    def __init__(self, query: Callable[[Sequence[str]], Awaitable[dict[str, list[T]]]]) -> None:
        self._query = query
        self._waiting: dict[str, asyncio.Future[list[T]]] = {}
        self._task: asyncio.Task[None] | None = None

    async def read(self, key: str) -> list[T]:
        """The rows of a key, as they are when this is called or later."""
        loop = asyncio.get_running_loop()
        future = self._waiting.get(key)
        if future is None:
            future = self._waiting[key] = loop.create_future()
        if self._task is None:
            self._task = loop.create_task(self._read_waiting())
        return await asyncio.shield(future)  # others may wait for the same

    async def _read_waiting(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, {}
            try:
                found = await self._query(list(batch))
            except Exception as error:
                for future in batch.values():
                    future.set_exception(error)
            else:
                for key, future in batch.items():
                    future.set_result(found.get(key, []))
        self._task = None
