"""Queue of study pages: each rendered by a worker process within limits, then cached.

Pages whose solutions are cached have a queue of their own, so that they do not wait for a solve.
Default rulings have queues of their own, too, so that custom rulings, which anyone may invent, do
not delay them. In each queue the addresses take turns.
"""

import asyncio
import json
import os
import shutil
import sys
from collections import Counter, OrderedDict
from functools import partial
from typing import Final, NamedTuple

from evenodds.server.jobs.fair_queue import FairQueue
from evenodds.server.jobs.solve_queue import SOLVE_TOO_LONG_MESSAGE, ServerBusy
from evenodds.server.logs import LOG
from evenodds.solver import NotSolved
from evenodds.study.page_request import EXIT_NO_MEMORY, EXIT_NOT_CACHED, EXIT_REFUSED, PageRequest
from evenodds.system.environment import core_limit

MAX_PENDING_REPORTS: Final = 20
"""Pages for custom rulings that may be pending; further requests are refused with 503."""
MAX_REPORTS_PER_ADDRESS: Final = 3
"""The same for one address."""
MAX_CACHED_PAGES: Final = 40
REPORT_TIMEOUT_S: Final = 900.0
"""Time limit of one worker process."""
MEMORY_POLL_S: Final = 0.2
"""Seconds between two checks of a worker's memory; twice its limit is an rlimit."""
PAGE_WAIT_TIMEOUT_S: Final = 2.0
"""Seconds that a request waits for its page; then the browser is told to ask again."""

Key = tuple[str, tuple[tuple[str, str], ...]]


class WorkerMemory(NamedTuple):
    """Memory limits of a worker process, in megabytes."""

    solving: int
    """For the transition graph of a solve."""
    total: int
    """Resident memory in all: the compiler alone takes some 300."""


CUSTOM_RULINGS_MEMORY_MB: Final = WorkerMemory(solving=64, total=768)
DEFAULT_RULINGS_MEMORY_MB: Final = WorkerMemory(solving=1024, total=2048)
CORES: Final = 4
"""Cores that a worker uses at most: each takes memory of its own."""


class WorkerQueues:
    """A queue for pages whose solutions are cached, and one for pages that must be solved."""

    def __init__(self, memory: WorkerMemory) -> None:
        self.memory = memory
        self.cached = FairQueue()
        self.uncached = FairQueue()


class WorkerOutput(NamedTuple):
    """Result of a worker process: exit code, page, and the last line of its standard error."""

    code: int
    page: str
    message: str


class ReportQueue:
    """Cache of pages, pending and failed ones included; the most recently used last."""

    def __init__(self) -> None:
        self._pages: OrderedDict[Key, asyncio.Task[str]] = OrderedDict()
        self._default_queues = WorkerQueues(DEFAULT_RULINGS_MEMORY_MB)
        self._custom_queues = WorkerQueues(CUSTOM_RULINGS_MEMORY_MB)
        self._pending: Counter[str] = Counter()
        """Pending pages for custom rulings by address."""

    async def page(
        self, home: str, game: str, rules: dict[str, str], address: str = ""
    ) -> str | None:
        """A page; None while it is pending. `NotSolved` and `ServerBusy` refuse it."""
        key = (game, tuple(sorted(rules.items())))
        if key not in self._pages:
            self._pages[key] = self._begin(PageRequest(home, game, rules), address)
            self._evict()
        self._pages.move_to_end(key)
        task = self._pages[key]
        await asyncio.wait([task], timeout=PAGE_WAIT_TIMEOUT_S)  # does not cancel, unlike wait_for
        if not task.done():
            return None
        if not isinstance(task.exception(), NotSolved | None):  # a temporary failure is not cached
            self._pages.pop(key, None)
        return task.result()

    def _begin(self, request: PageRequest, address: str) -> asyncio.Task[str]:
        """Start rendering a page; `ServerBusy` where too many are pending."""
        if not request.rules:
            return asyncio.create_task(self._render(request, self._default_queues, address))
        if self._pending.total() >= MAX_PENDING_REPORTS:
            raise ServerBusy("too many studies are being made; ask again in a moment")
        if self._pending[address] >= MAX_REPORTS_PER_ADDRESS:
            raise ServerBusy("too many studies of yours are being made; ask again in a moment")
        self._pending[address] += 1
        task = asyncio.create_task(self._render(request, self._custom_queues, address))
        task.add_done_callback(partial(self._on_done, address))
        return task

    def _on_done(self, address: str, task: asyncio.Task[str]) -> None:
        self._pending -= Counter([address])  # subtraction drops addresses at zero
        if not task.cancelled():
            task.exception()  # marks it as retrieved, or asyncio would log it

    async def _render(self, request: PageRequest, queues: WorkerQueues, address: str) -> str:
        """Render from the cache, or else, in the slower queue, solve first."""
        async with queues.cached.turn(address):
            output = await _run_worker(request._replace(kept=True), queues.memory)
        if output.code == EXIT_NOT_CACHED:
            async with queues.uncached.turn(address):
                output = await _run_worker(request, queues.memory)
        if output.code == EXIT_REFUSED:
            raise NotSolved(output.message)
        if output.code == EXIT_NO_MEMORY:
            raise NotSolved(
                f"this study takes more than the {queues.memory.total} MB that a server "
                "has for it; `evenodds study` on a machine of your own takes what it needs"
            )
        if output.code:  # killed, or a bug: the next request tries again
            LOG.warning("a study ended with %d: %s", output.code, output.message)
            raise ServerBusy("the study was interrupted; ask again")
        return output.page

    def _evict(self) -> None:
        """Evict the finished pages that were least recently used."""
        done = [key for key, task in self._pages.items() if task.done()]
        for key in done[: max(0, len(self._pages) - MAX_CACHED_PAGES)]:
            del self._pages[key]

    async def stop(self) -> None:
        """Cancel what is pending, and kill its workers."""
        pending = [task for task in self._pages.values() if not task.done()]
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)


async def _run_worker(request: PageRequest, memory: WorkerMemory) -> WorkerOutput:
    child = await asyncio.create_subprocess_exec(
        *_low_priority(),
        *(sys.executable, "-m", "evenodds.study.page_worker"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=os.environ
        | {
            "EVENODDS_MEMORY_MB": str(memory.solving),
            "EVENODDS_CORES": str(min(core_limit(), CORES)),
            "OPENBLAS_NUM_THREADS": "1",
        },
    )
    limited = request._replace(most_mb=2 * memory.total)
    communication = asyncio.create_task(child.communicate(json.dumps(limited._asdict()).encode()))
    try:
        async with asyncio.timeout(REPORT_TIMEOUT_S):
            while not communication.done():
                await asyncio.wait([communication], timeout=MEMORY_POLL_S)
                if resident_bytes(child.pid) > memory.total << 20:
                    return WorkerOutput(EXIT_NO_MEMORY, "", "")
        page, stderr = communication.result()
    except TimeoutError:
        raise ServerBusy(SOLVE_TOO_LONG_MESSAGE) from None
    finally:
        if child.returncode is None:
            child.kill()
        await asyncio.gather(communication, return_exceptions=True)
    lines = stderr.decode(errors="replace").strip().splitlines()
    return WorkerOutput(child.returncode or 0, page.decode(), lines[-1] if lines else "")


def resident_bytes(process: int) -> int:
    """Resident memory of a process; 0 where the system does not tell."""
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):  # not Linux, or it has just ended
        return 0


def _low_priority() -> list[str]:
    """A command prefix that lowers the priority: picks go before studies."""
    nice = shutil.which("nice")
    return [nice, "-n", "10"] if nice else []
