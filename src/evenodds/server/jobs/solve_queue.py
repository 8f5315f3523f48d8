"""What is computed in the background: solutions with answers about them, and study pages.

Worker processes fill the cache of solutions, which threads load and read; they also make pages.
"""

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from evenodds.core import catalog
from evenodds.core.catalog import is_built_in
from evenodds.core.rulings import parse_rulings, ruling_texts
from evenodds.core.terms import Terms, agree
from evenodds.engine.on_demand import NotSolved, SolveLimitExceeded, SolveTimeout, solution_in_time
from evenodds.engine.solution_files import table_path
from evenodds.engine.solve import takes_gpu
from evenodds.server.jobs.job_queue import INTERNAL_ADDRESS, JobKey, JobPending, JobQueue
from evenodds.server.jobs.worker_processes import (
    SOLVE_TOO_LONG_MESSAGE,
    RunInWorker,
    WorkerMemory,
    run_in_worker,
)
from evenodds.server.logs import LOG
from evenodds.system import EvenOddsError
from evenodds.system.cache_folder import find_file
from evenodds.system.environment import Device
from evenodds.workers.task import TASK_PROGRESS, Task, TaskResult

if TYPE_CHECKING:
    from evenodds.engine.solution import Solution

T = TypeVar("T")
SOLVE_MEMORY_MB: Final = WorkerMemory(solving=128, total=768)
"""Enough for about 1.25 million positions."""
CUSTOM_RULINGS_MEMORY_MB: Final = WorkerMemory(solving=64, total=768)
DEFAULT_RULINGS_MEMORY_MB: Final = WorkerMemory(solving=1024, total=2048)
SOLVE_CPU_LIMIT_S: Final = 60.0
"""Limit of CPU time for custom rulings; CPU time, so that a busy machine refuses no more games."""


def solve_terms(terms: Terms, clock: Callable[[], float] = time.process_time) -> "Solution":
    """The solution of a game from the cache; solved here where it is not there."""
    seconds = inf if job_key(terms).is_default else SOLVE_CPU_LIMIT_S
    memory, progress = SOLVE_MEMORY_MB.solving << 20, TASK_PROGRESS.get()
    try:
        return solution_in_time(terms, seconds, memory, progress, clock)
    except SolveLimitExceeded as error:
        raise type(error)(SOLVE_TOO_LONG_MESSAGE) from None


class SolveQueue(JobQueue["Solution"]):
    """Solutions, answers to questions about them, and picks of computers, off the event loop."""

    JOBS = "questions are being answered"
    MAX_ADDRESSES = 50
    MAX_CACHED = 6
    CONCURRENCY = 2
    PREPARE_RETRY_S = 10.0
    """Delay before a built-in game is solved again after an unexpected error."""
    WAIT_S = 5.0
    """Seconds that a question waits for a solution; then the client is told to ask again."""

    def __init__(
        self,
        solve: "Callable[[Terms], Solution]" = solve_terms,
        table_path: Callable[..., Path | None] = table_path,
        run_in_worker: RunInWorker = run_in_worker,
    ) -> None:
        """Where `table_path` gives None, a game is solved in a thread of this process."""
        super().__init__()
        self._solve = solve
        self._table_path = table_path
        self._run_in_worker = run_in_worker
        self._asked = defaultdict[bool, Counter[str]](Counter)
        """Pending questions by address, those about default rulings apart."""
        self.ready = False
        """Whether all games are solved with their default rulings."""

    async def prepare(self, games: Iterable[catalog.AnyGame]) -> None:
        """Solve games with their default rulings, or load their solutions."""
        for game in games:
            terms = agree(game)
            while not self.is_cached(terms):
                try:
                    await self.solution(terms)
                except NotSolved as error:
                    LOG.info("a game is not solved", extra={"game": game.name, "why": str(error)})
                except Exception:  # the queue has logged it
                    if not is_built_in(game):  # a plugin may always fail: wait for a request
                        break
                    await asyncio.sleep(self.PREPARE_RETRY_S)
        self.ready = True

    def is_cached(self, terms: Terms) -> bool:
        """Whether a solution, or its refusal, is there without waiting."""
        job = self._jobs.get(job_key(terms))
        return job is not None and job.done()

    async def ask(self, terms: Terms, question: "Callable[[Solution], T]", address: str) -> T:
        """Apply a function to the solution of a game, in a thread.

        `NotSolved` and `ServerBusy` refuse it; after `JobPending` the client asks again.
        """
        solution = await self.solution(terms, address, self.WAIT_S)
        is_default = job_key(terms).is_default
        with self.admitted(address, self._asked[is_default]):
            return await self.run(("questions", is_default), address, question, solution)

    async def solution(
        self, terms: Terms, address: str = INTERNAL_ADDRESS, timeout_s: float | None = None
    ) -> "Solution":
        """The solution of a game, as `JobQueue.result`."""
        attempts = partial(self._load_solution, terms), partial(self._solve_and_load, terms)
        return await self.result(job_key(terms), address, timeout_s, *attempts)

    async def _load_solution(self, terms: Terms, _: object) -> "Solution | None":
        """None where a worker process must solve the game first, and can hand over the solution."""
        path = self._table_path(terms.game, terms.rulings)
        if path is not None and not find_file(path).exists():
            return None
        return await asyncio.to_thread(self._solve, terms)

    async def _solve_and_load(self, terms: Terms, on_progress: Callable[[str], None]) -> "Solution":
        task = Task(f"{__name__}:solve_into_cache", (terms.game.name, ruling_texts(terms.rulings)))
        try:
            is_for_gpu = await asyncio.to_thread(takes_gpu, terms.game, terms.rulings)
        except EvenOddsError as error:  # a GPU is asked for, and there is none
            raise NotSolved(str(error)) from None
        device: Device = "gpu" if is_for_gpu else "cpu"
        if not await self._run_in_worker(task, SOLVE_MEMORY_MB, "solve", on_progress, device):
            raise SolveTimeout(SOLVE_TOO_LONG_MESSAGE)
        return await asyncio.to_thread(self._solve, terms)


class ReportQueue(JobQueue[str]):
    """Study pages: from cached data, or else, in the slower lane, solved first."""

    JOBS = "studies are being made"
    MAX_ADDRESSES = 20
    MAX_CACHED = 40
    CONCURRENCY = 1
    WAIT_S = 2.0
    """Seconds that a request waits for its page; then the browser is told to ask again."""

    def __init__(
        self,
        run_in_worker: RunInWorker = run_in_worker,
        custom_memory: WorkerMemory = CUSTOM_RULINGS_MEMORY_MB,
    ) -> None:
        super().__init__()
        self._run_in_worker = run_in_worker
        self._custom_memory = custom_memory

    async def page(
        self, home: str, game: str, rules: dict[str, str], address: str = ""
    ) -> str | None:
        """A page; None while it is pending. `NotSolved` and `ServerBusy` refuse it."""
        memory = self._custom_memory if rules else DEFAULT_RULINGS_MEMORY_MB
        tasks = [
            Task("evenodds.study.pages.report_page:page_task", (home, game, rules, cached_only))
            for cached_only in (True, False)
        ]
        attempts = (partial(self._run_in_worker, task, memory, "study") for task in tasks)
        try:
            return await self.result(self._key(game, rules), address, self.WAIT_S, *attempts)
        except JobPending:
            return None

    def progress_of(self, game: str, rules: dict[str, str]) -> str:
        """The progress of a pending page in words; empty where nothing is known."""
        return self._progress.get(self._key(game, rules), "")

    def _key(self, game: str, rules: dict[str, str]) -> JobKey:
        return JobKey(game, tuple(sorted(rules.items())), not rules)


def solve_into_cache(game: str, rules: dict[str, str]) -> TaskResult:
    """Task of a worker process: True once the solution is cached, False after the time limit."""
    try:
        solve_terms(agree(game, parse_rulings(catalog.get(game).rulings, rules)))
        return TaskResult(True)
    except SolveTimeout:
        return TaskResult(False)
    except NotSolved as error:
        return TaskResult(None, str(error), permanent=True)


def job_key(terms: Terms) -> JobKey:
    """What a solve is about."""
    is_default = bool(terms.rulings == terms.game.rulings())
    return JobKey(terms.game.name, terms.rulings, is_default)
