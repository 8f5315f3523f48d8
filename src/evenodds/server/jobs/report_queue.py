"""Queue of study pages: each rendered by a worker process within limits, then cached."""

from functools import partial
from typing import Final

from evenodds.server.jobs.job_queue import JobKey, JobPending, JobQueue
from evenodds.server.jobs.worker_processes import RunInWorker, WorkerMemory, run_in_worker
from evenodds.workers.task import Task

CUSTOM_RULINGS_MEMORY_MB: Final = WorkerMemory(solving=64, total=768)
DEFAULT_RULINGS_MEMORY_MB: Final = WorkerMemory(solving=1024, total=2048)


class ReportQueue(JobQueue[str]):
    """Study pages: from cached data, or else, in the slower lane, solved first."""

    JOBS = "studies are being made"
    MAX_ADDRESSES = 20
    MAX_PENDING_PER_ADDRESS = 3
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
            return await self.result(_key(game, rules), address, self.WAIT_S, *attempts)
        except JobPending:
            return None

    def progress_of(self, game: str, rules: dict[str, str]) -> str:
        """The progress of a pending page in words; empty where nothing is known."""
        return self._progress.get(_key(game, rules), "")


def _key(game: str, rules: dict[str, str]) -> JobKey:
    return JobKey(game, tuple(sorted(rules.items())), not rules)
