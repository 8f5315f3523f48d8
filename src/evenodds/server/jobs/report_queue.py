"""Queue of study pages: each rendered by a worker process within limits, then cached.

What can be printed from what is known goes first, in a lane of its own; what must be solved for it
waits in another. The games as their books have them have lanes to themselves, and never wait for a
stranger's rulings. In each lane the addresses that ask take turns.
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
from evenodds.server.jobs.solve_queue import TOO_LONG, ServerBusy
from evenodds.server.logs import LOG
from evenodds.solver import NotSolved
from evenodds.study.page_request import EXIT_NO_MEMORY, EXIT_NOT_CACHED, EXIT_REFUSED, PageRequest
from evenodds.system.environment import core_limit

MAX_PENDING_REPORTS: Final = 20
"""Pages of strangers' rulings that may be under way; whoever comes then is asked to come again."""
MAX_REPORTS_PER_ADDRESS: Final = 3
"""Of these, asked for from one address."""
MAX_CACHED_PAGES: Final = 40
"""Pages that are kept."""
REPORT_TIMEOUT_S: Final = 900.0
"""How long making a page may take."""
WATCH_S: Final = 0.2
"""Seconds between two looks at how much memory a child holds; twice its limit it never gets."""
PAGE_WAIT_TIMEOUT_S: Final = 2.0
"""Seconds that whoever asks is kept waiting; the work goes on, and they ask again."""

Key = tuple[str, tuple[tuple[str, str], ...]]


class WorkerMemory(NamedTuple):
    """What a child may take, in megabytes."""

    solving: int
    """For the positions of a ruling."""
    total: int
    """For everything: the compiler alone takes some 300."""


CUSTOM_RULINGS_MEMORY_MB: Final = WorkerMemory(solving=64, total=768)
DEFAULT_RULINGS_MEMORY_MB: Final = WorkerMemory(solving=1024, total=2048)
CORES: Final = 4
"""Cores that a child uses at most: each has memory of its own."""


class WorkerQueues:
    """Where it is looked whether all is known for a page, and where the rest is solved."""

    def __init__(self, memory: WorkerMemory) -> None:
        self.memory = memory
        self.known = FairQueue()
        self.solved = FairQueue()


class WorkerOutput(NamedTuple):
    """What a child has made: its exit code, the page, and what it said."""

    code: int
    page: str
    said: str


class ReportQueue:
    """Pages that are made or being made, and those that could not be; the latest last."""

    def __init__(self) -> None:
        self._pages: OrderedDict[Key, asyncio.Task[str]] = OrderedDict()
        self._house = WorkerQueues(DEFAULT_RULINGS_MEMORY_MB)
        self._guests = WorkerQueues(CUSTOM_RULINGS_MEMORY_MB)
        self._under_way: Counter[str] = Counter()
        """How many pages of strangers' rulings are being made for each address."""

    async def page(
        self, home: str, game: str, rules: dict[str, str], address: str = ""
    ) -> str | None:
        """A page; None while it is being made. `NotSolved` and `ServerBusy` refuse it."""
        key = (game, tuple(sorted(rules.items())))
        if key not in self._pages:
            self._pages[key] = self._begin(PageRequest(home, game, rules), address)
            self._tidy()
        self._pages.move_to_end(key)
        task = self._pages[key]
        await asyncio.wait([task], timeout=PAGE_WAIT_TIMEOUT_S)
        if not task.done():
            return None
        if not isinstance(task.exception(), NotSolved | None):  # it may be asked for again
            self._pages.pop(key, None)
        return task.result()

    def _begin(self, order: PageRequest, address: str) -> asyncio.Task[str]:
        """Begin with a page, if there are not too many under way."""
        if not order.rules:
            return asyncio.create_task(self._make(order, self._house, address))
        if self._under_way.total() >= MAX_PENDING_REPORTS:
            raise ServerBusy("too many studies are being made; ask again in a moment")
        if self._under_way[address] >= MAX_REPORTS_PER_ADDRESS:
            raise ServerBusy("too many studies of yours are being made; ask again in a moment")
        self._under_way[address] += 1
        begun = asyncio.create_task(self._make(order, self._guests, address))
        begun.add_done_callback(partial(self._done, address))
        return begun

    def _done(self, address: str, ended: asyncio.Task[str]) -> None:
        self._under_way -= Counter([address])  # and an address without a page is forgotten
        if not ended.cancelled():
            ended.exception()  # somebody has looked, even if whoever asked is gone

    async def _make(self, order: PageRequest, lanes: WorkerQueues, address: str) -> str:
        """Print from what is known, or else solve what it takes."""
        async with lanes.known.turn(address):
            made = await _run_worker(order._replace(kept=True), lanes.memory)
        if made.code == EXIT_NOT_CACHED:
            async with lanes.solved.turn(address):
                made = await _run_worker(order, lanes.memory)
        if made.code == EXIT_REFUSED:
            raise NotSolved(made.said)
        if made.code == EXIT_NO_MEMORY:
            raise NotSolved(
                f"this study takes more than the {lanes.memory.total} MB that a server has for it; "
                "`evenodds study` on a machine of your own takes what it needs"
            )
        if made.code:  # killed, or a mistake of ours: it may be asked for again
            LOG.warning("a study ended with %d: %s", made.code, made.said)
            raise ServerBusy("the study was interrupted; ask again")
        return made.page

    def _tidy(self) -> None:
        """Put away what was not asked for lately."""
        done = [key for key, task in self._pages.items() if task.done()]
        for key in done[: max(0, len(self._pages) - MAX_CACHED_PAGES)]:
            del self._pages[key]

    async def stop(self) -> None:
        """End what is being made."""
        making = [task for task in self._pages.values() if not task.done()]
        for task in making:
            task.cancel()
        await asyncio.gather(*making, return_exceptions=True)


async def _run_worker(order: PageRequest, memory: WorkerMemory) -> WorkerOutput:
    child = await asyncio.create_subprocess_exec(
        *_humble(),
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
    told = order._replace(most_mb=2 * memory.total)
    talk = asyncio.create_task(child.communicate(json.dumps(told._asdict()).encode()))
    try:
        async with asyncio.timeout(REPORT_TIMEOUT_S):
            while not talk.done():
                await asyncio.wait([talk], timeout=WATCH_S)
                if resident_bytes(child.pid) > memory.total << 20:
                    return WorkerOutput(EXIT_NO_MEMORY, "", "")
        page, said = talk.result()
    except TimeoutError:
        raise ServerBusy(TOO_LONG) from None
    finally:
        if child.returncode is None:
            child.kill()
        await asyncio.gather(talk, return_exceptions=True)
    lines = said.decode(errors="replace").strip().splitlines()
    return WorkerOutput(child.returncode or 0, page.decode(), lines[-1] if lines else "")


def resident_bytes(process: int) -> int:
    """Bytes of memory that a process holds; 0 where that cannot be told."""
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):  # not Linux, or it has just ended
        return 0


def _humble() -> list[str]:
    """Picks go first: a study runs when the machine has nothing better to do."""
    nice = shutil.which("nice")
    return [nice, "-n", "10"] if nice else []
