"""Studies on a server: who waits for whom, and what a child process may take."""

import asyncio
import re
import sys
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from evenodds.core import catalog
from evenodds.core.terms import agree
from evenodds.gpu import device
from evenodds.server.jobs import job_queue, report_queue, worker_processes
from evenodds.server.jobs.fair_queue import FairQueue
from evenodds.server.jobs.job_queue import JobKey, JobQueue, ServerBusy
from evenodds.server.jobs.report_queue import ReportQueue
from evenodds.server.jobs.solve_queue import SOLVE_MEMORY_MB, SolveQueue
from evenodds.server.jobs.worker_processes import GPU_MEMORY_MB, WorkerMemory, run_process
from evenodds.solver.on_demand import NotSolved
from evenodds.study.pages.report_page import render_report
from evenodds.study.report import study_report_of
from evenodds.workers.task import OUT_OF_MEMORY_REASON, Task, TaskResult
from tests.support.registries import until
from tests.support.task_runners import workers_of
from tests.support.waiting import TIMEOUT_S


def apart(work: Coroutine[Any, Any, Any]) -> Any:
    """Do some work on a loop of its own: a browser's test may have left one in this thread."""
    with ThreadPoolExecutor(1) as other:
        return other.submit(asyncio.run, work).result()


LONG = {"numbers": "14", "reach": "2", "leaps": "1"}
"""Rulings of the circle that take long to be studied."""


async def patiently(asked: ReportQueue, game: str, rules: dict[str, str]) -> str:
    """A page once it is made."""
    while (page := await asked.page("/study", game, rules)) is None:
        pass
    return page


async def asks(asked: ReportQueue, address: str, *numbers: int) -> None:
    """Somebody asks for pages that take long."""
    for number in numbers:
        assert await asked.page("/study", "circle", {"numbers": str(number)}, address) is None


@pytest.mark.processes
@pytest.mark.usefixtures("home_with_tables")
def test_what_is_known_waits_for_nobody() -> None:
    """A page whose study is kept is there while a stranger's rulings are being solved."""
    game = catalog.get("duel")
    ruled: list[dict[str, str]] = [{}, {"hp": "4"}]
    folios = [study_report_of(game, game.settle_typed(rules)) for rules in ruled]

    async def crowd() -> None:
        asked = ReportQueue()
        assert await asked.page("/study", "circle", LONG) is None
        for rules, folio in zip(ruled, folios, strict=True):
            page = await patiently(asked, "duel", rules)
            assert page == render_report(*folio, home="/study")
        assert await asked.page("/study", "circle", LONG) is None
        await asked.stop()

    apart(crowd())


class Children:
    """Children that solve nothing; with a stranger's rulings they wait until the gate opens."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate = asyncio.Semaphore(0)
        self.solved: list[str] = []
        monkeypatch.setattr(worker_processes, "run_process", self.child)
        monkeypatch.setattr(report_queue, "PAGE_WAIT_TIMEOUT_S", 0.1)

    async def child(self, task: Task, *_: object) -> TaskResult:
        """What one answers."""
        _, game, rules, cached_only = task.arguments
        if cached_only:
            return TaskResult(None)
        if rules:
            await self.gate.acquire()
        self.solved.append(rules.get("numbers", game))
        return TaskResult(game)


@pytest.mark.long
def test_strangers_wait_in_a_lane_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many of them; the next is asked to come again, and the house's games are solved anyway."""
    children = Children(monkeypatch)
    monkeypatch.setattr(ReportQueue, "MAX_ADDRESSES", 4)

    async def crowd() -> None:
        asked = ReportQueue()
        for number in range(ReportQueue.MAX_ADDRESSES):
            await asks(asked, f"address {number}", number)
        with pytest.raises(ServerBusy, match="too many studies are being made"):
            await asks(asked, "another", 20)
        await asks(asked, "another", 0)  # what is being made anyway may be waited for
        assert await asked.page("/study", "duel", {}, "another") == "duel"
        assert children.solved == ["duel"]
        children.gate.release()
        assert await patiently(asked, "circle", {"numbers": "0"}) == "circle"
        await asks(asked, "another", 20)
        await asked.stop()

    apart(crowd())


@pytest.mark.long
def test_each_address_has_a_share_of_the_studies(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many at once from one, and they take turns: whoever asks for one waits for few."""
    children = Children(monkeypatch)

    async def crowd() -> None:
        asked = ReportQueue()
        await asks(asked, "greedy", *range(ReportQueue.MAX_PENDING_PER_ADDRESS))
        with pytest.raises(ServerBusy, match="too many studies of yours are being made"):
            await asks(asked, "greedy", 10)
        await asks(asked, "modest", 20, 21)
        await asks(asked, "late", 30)
        for _ in range(6):
            children.gate.release()
        for number in (0, 1, 2, 20, 21, 30):
            await patiently(asked, "circle", {"numbers": str(number)})
        assert children.solved == ["0", "1", "20", "30", "2", "21"]
        await asks(asked, "greedy", 10)
        await asked.stop()

    apart(crowd())


def test_whoever_gives_up_waiting_leaves_the_turn_to_others() -> None:
    async def crowd() -> None:
        queue, had = FairQueue(), []

        async def wait(address: str) -> None:
            async with queue.turn(address):
                had.append(address)

        async with queue.turn("first"):
            tasks = [asyncio.create_task(wait(address)) for address in "abcd"]
            await asyncio.sleep(0)
            tasks[0].cancel()
            await asyncio.sleep(0)
        tasks[1].cancel()  # b's turn has come, and b has not noticed
        await asyncio.gather(*tasks, return_exceptions=True)
        async with queue.turn("last"):
            had.append("last")
        assert had == ["c", "d", "last"]

    apart(crowd())


@pytest.mark.parametrize("reason", ["its process died: signal 9", "it failed: KeyError"])
def test_a_study_that_was_interrupted_may_be_asked_for_again(
    reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed, or ended by a mistake of ours: that is no answer, and is not remembered."""
    printouts = [TaskResult(None, reason), TaskResult("the page")]

    async def child(*_: object) -> TaskResult:
        return printouts.pop(0)

    monkeypatch.setattr(worker_processes, "run_process", child)

    async def crowd() -> None:
        asked = ReportQueue()
        with pytest.raises(ServerBusy, match="the study was interrupted; ask again"):
            await asked.page("/study", "duel", {})
        assert await asked.page("/study", "duel", {}) == "the page"

    apart(crowd())


def test_a_study_that_could_not_begin_may_be_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A machine without memory for another process may have some the next time."""
    starts: list[Exception | TaskResult] = [OSError("no memory"), TaskResult("the page")]

    async def child(*_: object) -> TaskResult:
        started = starts.pop(0)
        if isinstance(started, Exception):
            raise started
        return started

    monkeypatch.setattr(worker_processes, "run_process", child)

    async def crowd() -> None:
        asked = ReportQueue()
        with pytest.raises(OSError, match="no memory"):
            await asked.page("/study", "duel", {})
        assert await asked.page("/study", "duel", {}) == "the page"

    apart(crowd())


@pytest.mark.processes
def test_a_study_that_takes_too_long_may_be_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker_processes, "WORKER_TIMEOUT_S", 0.01)
    asked = ReportQueue()

    async def crowd() -> str | None:
        with pytest.raises(ServerBusy, match="takes longer than a server may"):
            await patiently(asked, "duel", {"hp": "3"})
        monkeypatch.setattr(worker_processes, "WORKER_TIMEOUT_S", 600.0)
        return await patiently(asked, "duel", {"hp": "3"})

    assert "Number Duel" in apart(crowd())


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process holds")
@pytest.mark.own_tables
def test_a_study_is_held_to_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that takes more ends, and says so in one line; the most it had is near the limit."""
    monkeypatch.setattr(
        report_queue, "CUSTOM_RULINGS_MEMORY_MB", WorkerMemory(solving=64, total=100)
    )
    most = 0

    def watched(process: int) -> int:
        nonlocal most
        most = max(most, real(process))
        return real(process)

    real = worker_processes.resident_bytes
    monkeypatch.setattr(worker_processes, "resident_bytes", watched)

    async def crowd() -> None:
        asked = ReportQueue()
        said = r"this study takes more than the 100 MB that a server has for it; `evenodds study`"
        with pytest.raises(NotSolved, match=said):
            await patiently(asked, "circle", LONG)

    apart(crowd())
    assert 100 << 20 < most < 200 << 20


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits another process")
def test_a_worker_cannot_take_twice_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_processes, "resident_bytes", lambda _: 0)
    task = Task("builtins:bytearray", (300 << 20,))
    assert apart(run_process(task, WorkerMemory(64, 128), str)).reason == OUT_OF_MEMORY_REASON


@pytest.mark.own_tables
def test_a_solve_on_a_gpu_has_memory_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one is there and the ruling large; its driver takes more than a usual solve may."""
    totals: list[tuple[str, int]] = []

    async def run(_: Task, memory: WorkerMemory, __: object, device: str = "cpu") -> TaskResult:
        totals.append((device, memory.total))
        return TaskResult(None, "it is only asked how it would be run", permanent=True)

    monkeypatch.setattr(worker_processes, "run_process", run)
    monkeypatch.delenv("EVENODDS_DEVICE", raising=False)
    for is_there, numbers in ((True, 12), (True, 8), (False, 12)):
        monkeypatch.setattr(device, "is_gpu_there", lambda is_there=is_there: is_there)
        with pytest.raises(NotSolved, match="only asked"):
            apart(SolveQueue().solution(agree("underdog", {"numbers": numbers})))
    usual = SOLVE_MEMORY_MB.total
    assert totals == [("gpu", usual + GPU_MEMORY_MB), ("cpu", usual), ("cpu", usual)]
    monkeypatch.setenv("EVENODDS_DEVICE", "gpu")
    with pytest.raises(NotSolved, match=r"evenodds\[gpu\]"):
        apart(SolveQueue().solution(agree("underdog", {"numbers": 8})))


@pytest.mark.processes
def test_a_study_nobody_asks_for_any_more_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its process ends, and the next address has its turn; asked for again, it begins anew."""
    monkeypatch.setattr(job_queue, "ABANDONED_JOB_S", 0.2)
    monkeypatch.setattr(report_queue, "PAGE_WAIT_TIMEOUT_S", 0.1)

    async def crowd() -> None:
        asked = ReportQueue()
        assert await asked.page("/study", "circle", LONG, "gone") is None
        await until(lambda: not asked._pending)
        assert not workers_of(None)
        monkeypatch.setattr(job_queue, "ABANDONED_JOB_S", TIMEOUT_S)
        assert "Number Duel" in await patiently(asked, "duel", {"hp": "3"})
        assert await asked.page("/study", "circle", LONG, "back") is None
        await asked.stop()
        assert not workers_of(None)

    apart(crowd())


@pytest.mark.processes
@pytest.mark.own_tables
def test_a_study_tells_its_progress() -> None:
    async def crowd() -> None:
        asked = ReportQueue()
        assert asked.progress_of("circle", LONG) == ""
        assert await asked.page("/study", "circle", LONG) is None
        await until(lambda: asked.progress_of("circle", LONG))
        assert re.fullmatch(r"[a-z ]+: [\d,]+( of [\d,]+)?", asked.progress_of("circle", LONG))
        await asked.stop()
        assert asked.progress_of("circle", LONG) == ""

    apart(crowd())


def test_a_job_that_fails_while_it_is_evicted_leaves_no_error() -> None:
    """Whoever asks next may come before it is known that it has failed."""
    game = catalog.get("duel")
    first, second = (JobKey("duel", game.settle({"hp": hp}), False) for hp in (3, 4))
    errors: list[object] = []

    class Queue(JobQueue[int]):
        JOBS, MAX_ADDRESSES, MAX_PENDING_PER_ADDRESS, MAX_CACHED, CONCURRENCY = "jobs", 9, 9, 0, 1

    async def ask() -> None:
        queue = Queue()
        asyncio.get_running_loop().set_exception_handler(lambda _, found: errors.append(found))
        others = []

        async def works(_: object) -> int:
            return 1

        async def fails(_: object) -> None:
            others.append(asyncio.create_task(queue.result(second, "b", None, works)))
            raise ServerBusy("not now")

        with pytest.raises(ServerBusy):
            await queue.result(first, "a", None, fails)
        assert await others[0] == 1

    apart(ask())
    assert errors == []
