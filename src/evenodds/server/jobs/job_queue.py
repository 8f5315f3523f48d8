"""The job queue: each job runs once for all who ask, addresses take turns, results are cached.

Work waits in lanes, so that what is quick or usual never waits for what is slow or invented: picks
of quick players for search, default rulings for custom ones, cached data for what must be solved.
"""

import asyncio
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import Any, Final, Generic, NamedTuple, TypeVar

from evenodds.engine.on_demand import NotSolved, SolveTimeout
from evenodds.server.logs import LOG

T = TypeVar("T")
S = TypeVar("S")
Attempt = Callable[[Callable[[str], None]], Awaitable[T | None]]
"""Called with a function that it may tell its progress, from any thread."""
INTERNAL_ADDRESS: Final = "this server"
"""The address of the server's own requests, which no limit applies to."""


class ServerBusy(RuntimeError):
    """Too much is pending already, or a job was interrupted."""


class JobPending(RuntimeError):
    """The job is not done yet."""


class JobKey(NamedTuple):
    """What a job is about: the same key, the same result."""

    game: str
    rulings: Any
    is_default: bool
    """Whether the rulings are the default ones. Custom ones, which anyone may invent, must not
    delay them: they have lanes of their own and no limits, and their results are never evicted."""


class FairLane:
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


class JobQueue(Generic[T]):
    """Jobs by key, finished ones included; the most recently used last.

    The limits apply to jobs for custom rulings.
    """

    JOBS: str
    """What is pending, in messages, as in "studies are being made"."""
    MAX_ADDRESSES: int
    """Addresses that may have something pending; requests of others are refused with 503."""
    MAX_PENDING_PER_ADDRESS = 3
    MAX_CACHED: int
    CONCURRENCY: int
    """Jobs that run at once in a lane."""
    ABANDONED_S = 120.0
    """Seconds after which a job for custom rulings is cancelled if nobody asks for it again."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[JobKey, asyncio.Task[T]] = OrderedDict()
        self._timers: dict[JobKey, asyncio.TimerHandle] = {}
        """Timers that cancel pending jobs once they are abandoned."""
        self._progress: dict[JobKey, str] = {}
        """What pending jobs have told last of their progress."""
        self._pending: Counter[str] = Counter()
        """Pending jobs by address."""
        self._lanes = defaultdict[Hashable, FairLane](lambda: FairLane(self.CONCURRENCY))
        """For jobs by whether the rulings are the default ones, and by number of the attempt."""

    async def result(
        self, key: JobKey, address: str, timeout_s: float | None, *attempts: Attempt[T]
    ) -> T:
        """The result of a job; `NotSolved` and `ServerBusy` refuse it.

        An attempt that gives None is followed by the next, which waits in a slower lane. After the
        timeout it is `JobPending`: the job goes on, and the client asks again.
        """
        if key not in self._jobs:
            task = asyncio.create_task(self._run(key, attempts, address))
            task.add_done_callback(lambda task: self._on_done(key, task))
            self._jobs[key] = task
        self._jobs.move_to_end(key)
        task = self._jobs[key]
        if not key.is_default and not task.done():
            self._stop_timer(key)
            self._timers[key] = asyncio.get_running_loop().call_later(self.ABANDONED_S, task.cancel)
        await asyncio.wait([task], timeout=timeout_s)  # does not cancel the job, unlike wait_for
        if not task.done() or task.cancelled():
            raise JobPending("this is being solved; ask again in a moment")
        return task.result()

    async def run(self, lane: Hashable, address: str, work: Callable[..., S], *args: Any) -> S:
        """The result of some work that nobody else asks for, in a thread of a lane."""
        return await self._lanes[lane].run(address, work, *args)

    @contextmanager
    def admitted(self, address: str, pending: Counter[str]) -> Iterator[None]:
        """Count what an address has pending; `ServerBusy` where that is too much.

        Addresses are counted besides, not all that is pending: each waits for one turn of every
        other, so a few greedy ones shut nobody out.
        """
        if address != INTERNAL_ADDRESS:
            if len(pending.keys() - {address}) >= self.MAX_ADDRESSES:
                raise ServerBusy(f"too many {self.JOBS}; ask again in a moment")
            if pending[address] >= self.MAX_PENDING_PER_ADDRESS:
                own = self.JOBS.replace(" ", " of yours ", 1)
                raise ServerBusy(f"too many {own}; ask again in a moment")
        pending[address] += 1
        try:
            yield
        finally:
            pending -= Counter([address])  # subtraction drops addresses at zero

    async def stop(self) -> None:
        """Cancel what is pending."""
        pending = [task for task in self._jobs.values() if not task.done()]
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)

    async def _run(self, key: JobKey, attempts: tuple[Attempt[T], ...], address: str) -> T:
        with self.admitted(INTERNAL_ADDRESS if key.is_default else address, self._pending):
            for number, attempt in enumerate(attempts):
                async with self._lanes[key.is_default, number].turn(address):
                    result = await attempt(partial(self._progress.__setitem__, key))
                if result is not None:
                    return result
        raise AssertionError("the last attempt gives a result")

    def _on_done(self, key: JobKey, task: asyncio.Task[T]) -> None:
        """Keep results and permanent refusals in the cache, and drop temporary failures."""
        self._stop_timer(key)
        self._progress.pop(key, None)
        error = asyncio.CancelledError() if task.cancelled() else task.exception()
        if error is None or (isinstance(error, NotSolved) and not isinstance(error, SolveTimeout)):
            self._evict()
            return
        self._jobs.pop(key, None)  # it may have been evicted
        if not isinstance(error, asyncio.CancelledError | SolveTimeout | ServerBusy):
            LOG.error("a game could not be solved", exc_info=error, extra={"game": key.game})

    def _stop_timer(self, key: JobKey) -> None:
        if timer := self._timers.pop(key, None):
            timer.cancel()

    def _evict(self) -> None:
        """Evict the finished jobs for custom rulings that were least recently used."""
        done = [key for key, job in self._jobs.items() if not key.is_default and job.done()]
        for key in done[: max(0, len(done) - self.MAX_CACHED)]:
            del self._jobs[key]
