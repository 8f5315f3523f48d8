"""Reads by key that share queries: one for all that arrive while the query before is under way."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class BatchedReads(Generic[T]):
    """Reads rows by key, with as few queries as possible."""

    def __init__(self, query: Callable[[Sequence[str]], Awaitable[dict[str, list[T]]]]) -> None:
        self._query = query
        self._waiting: list[tuple[str, asyncio.Future[list[T]]]] = []
        self._task: asyncio.Task[None] | None = None

    async def read(self, key: str) -> list[T]:
        """The rows of a key, as they are when this is called or later."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[list[T]] = loop.create_future()
        self._waiting.append((key, future))
        if self._task is None:
            self._task = loop.create_task(self._read_waiting())
        return await future

    async def _read_waiting(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            found: dict[str, list[T]] = {}
            failure: Exception | None = None
            try:
                found = await self._query(list({key for key, _ in batch}))
            except Exception as error:
                failure = error
            for key, future in batch:
                if future.done():  # the request was cancelled meanwhile
                    continue
                if failure is None:
                    future.set_result(found.get(key, []))
                else:
                    future.set_exception(failure)
        self._task = None
