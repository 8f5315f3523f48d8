"""Background work of a server: who waits for whom, what is kept, what a process may take."""

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from inspect import signature
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from evenodds import game, run_study
from evenodds.core.catalog import get
from evenodds.core.terms import agree
from evenodds.engine.on_demand import NotSolved, SolveTimeout
from tests.support import registries as rooms
from tests.support.registries import run, solving, until
from tests.support.task_runners import workers_of
from tests.support.waiting import TIMEOUT_S

USUAL = agree("duel")
CUSTOM = [agree("duel", {"hp": hp}) for hp in range(1, 8)]


@rooms.in_a_loop
async def test_each_address_gets_its_turn() -> None:
    gate = threading.Event()
    done: list[str] = []

    pool = rooms.FairLane()
    asked: list[Any] = [pool.run("a", gate.wait, TIMEOUT_S)]
    asked += [pool.run("a", done.append, f"a{turn}") for turn in range(3)]
    asked += [pool.run("b", done.append, f"b{turn}") for turn in range(2)]
    asked += [pool.run("c", done.append, "c0")]
    tasks = [asyncio.create_task(each) for each in asked]
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(*tasks)
    assert done == ["a0", "b0", "c0", "a1", "b1", "a2"]


@rooms.in_a_loop
async def test_no_address_has_all_threads() -> None:
    gate = threading.Event()

    pool = rooms.FairLane(2)
    held = [asyncio.create_task(pool.run("a", gate.wait, TIMEOUT_S)) for _ in range(3)]
    await asyncio.sleep(0)
    with pytest.raises(ZeroDivisionError):
        await pool.run("b", divmod, 1, 0)
    assert await pool.run("b", divmod, 7, 2) == (3, 1)
    assert not any(each.done() for each in held)
    gate.set()
    await asyncio.gather(*held)


@rooms.in_a_loop
async def test_whoever_gives_up_waiting_leaves_the_turn_to_others() -> None:
    queue, had = rooms.FairLane(), []

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


def answering(*answers: Any) -> tuple[Callable[[Any], Any], list[Any]]:
    """What solves with one answer after the other, the last for ever; and what it was asked."""
    asked: list[Any] = []

    def solve(terms: Any) -> Any:
        asked.append(terms)
        answer = answers[min(len(asked), len(answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer

    return solve, asked


@pytest.mark.parametrize(
    ("error", "times"),
    [(SolveTimeout("too slow"), 2), (OSError("the disk is full"), 2), (NotSolved("too large"), 1)],
)
@rooms.in_a_loop
async def test_what_failed_for_now_is_tried_again(error: Exception, times: int) -> None:
    solve, asked = answering(error, "solution")

    queue = solving(solve)
    both = [await asyncio.gather(queue.solution(USUAL), return_exceptions=True) for _ in "12"]
    found = [each for (each,) in both]
    assert found == [error, "solution" if times == 2 else error]
    assert len(asked) == times


def test_a_game_that_is_refused_keeps_no_server_waiting(caplog: pytest.LogCaptureFixture) -> None:
    duel = get("duel")
    failing, refused, wrong = (duel._replace(name=name) for name in ("failing", "refused", "wrong"))
    queues: list[rooms.SolveQueue] = []
    tried: list[tuple[str, bool]] = []

    def solve(terms: Any) -> Any:
        tried.append((terms.game.name, queues[0].ready))
        if terms.game is failing or tried.count(("duel", False)) == 1:
            raise RuntimeError("nobody knows")
        if terms.game is refused:
            raise NotSolved("too large")
        return "solution"

    async def prepare() -> bool:
        queues.append(solving(solve, PREPARE_RETRY_S=0))
        await queues[0].prepare([refused, failing, duel])
        return queues[0].ready and queues[0].is_cached(agree("duel"))

    with caplog.at_level("INFO", "evenodds.server"):
        assert run(prepare())
        assert rooms.is_valid(duel)
        assert not rooms.is_valid(wrong._replace(simultaneous=False))
    assert tried == [(name, False) for name in ("refused", "failing", "duel", "duel")]
    told = {vars(record)["game"]: vars(record) for record in caplog.records}
    assert told["refused"]["why"] == "too large"
    assert told["wrong"]["why"].startswith("wrong: legal lets both seats pick")
    assert "failing" in told


@rooms.in_a_loop
async def test_solutions_of_custom_rulings_give_way() -> None:
    found = solving(lambda _: "solution", MAX_CACHED=1)
    asked = [USUAL, *CUSTOM[:2]]
    for terms in asked:
        await found.solution(terms)
    seen = [found.is_cached(terms) for terms in asked]
    assert seen == [True, False, True]


@pytest.mark.own_tables
def test_only_custom_rulings_have_a_limit_of_time_and_others_work_counts_for_nobody(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evenodds.system.cache_folder.PRECOMPUTED", home)
    assert signature(rooms.solve_terms).parameters["clock"].default is time.process_time
    hours = count(step=1e4)
    for name, custom in (("margin", {"numbers": 6}), ("underdog", {"numbers": 6})):
        with pytest.raises(SolveTimeout, match="takes longer than a server may"):
            rooms.solve_terms(agree(name, custom), clock=lambda: next(hours))
    assert rooms.solve_terms(agree("margin"), clock=lambda: next(hours)).start
    assert rooms.solve_terms(agree("margin", {"numbers": 4})).start


@rooms.in_a_loop
async def test_one_address_has_a_share_of_the_queue() -> None:
    gate = threading.Event()
    share = rooms.SolveQueue.MAX_PENDING_PER_ADDRESS

    one = solving(lambda _: gate.wait(TIMEOUT_S))
    asked = [asyncio.create_task(one.ask(each, str, "a")) for each in CUSTOM[:share]]
    await asyncio.sleep(0)
    with pytest.raises(rooms.ServerBusy, match="too many questions of yours"):
        await one.ask(CUSTOM[share], str, "a")
    asked.append(asyncio.create_task(one.ask(CUSTOM[share], str, "b")))
    home = [asyncio.create_task(one.solution(each)) for each in CUSTOM[-2:]]
    await asyncio.sleep(0)
    gate.set()
    assert await asyncio.gather(*asked) == ["True"] * (share + 1)
    assert all(await asyncio.gather(*home))
    assert await one.ask(CUSTOM[0], str, "a") == "True"
    await one.stop()


@rooms.in_a_loop
async def test_whoever_asks_does_not_wait_for_a_long_solve() -> None:
    gate = threading.Event()
    made: list[Any] = []

    def solve(terms: Any) -> str:
        gate.wait(TIMEOUT_S)
        made.append(terms)
        return "solution"

    one = solving(solve, WAIT_S=0.01)
    for _ in range(2):
        with pytest.raises(rooms.JobPending, match="this is being solved"):
            await one.ask(CUSTOM[0], str, "a")
    gate.set()
    one.WAIT_S = TIMEOUT_S
    assert await one.ask(CUSTOM[0], str, "a") == "solution"
    await one.stop()
    assert made == [CUSTOM[0]]


@rooms.in_a_loop
async def test_questions_about_default_rulings_do_not_wait_for_custom_ones() -> None:
    gate, question = threading.Event(), threading.Event()
    custom, *unsolved, refused = CUSTOM[:4]

    def solve(terms: Any) -> str:
        if terms in unsolved:
            gate.wait(TIMEOUT_S)
        return "solution"

    one = solving(solve, MAX_ADDRESSES=2)
    await one.solution(custom)
    asked = [one.ask(custom, lambda _: str(question.wait(TIMEOUT_S)), each) for each in "af"]
    asked += [one.ask(each, str, address) for each, address in zip(unsolved, "bc", strict=True)]
    tasks = [asyncio.create_task(each) for each in asked]
    await asyncio.sleep(0)
    try:
        assert await one.ask(USUAL, str, "d") == "solution"
        assert not any(task.done() for task in tasks)
        with pytest.raises(rooms.ServerBusy, match="too many questions are"):
            await one.ask(refused, str, "e")
    finally:
        question.set()
        await asyncio.gather(*tasks[:2])
        gate.set()
    await asyncio.gather(*tasks)
    await one.stop()


@pytest.mark.own_tables
def test_a_solve_on_a_gpu_has_memory_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    totals: list[tuple[str, int]] = []

    async def child(
        _: rooms.Task, memory: rooms.WorkerMemory, __: object, device: str
    ) -> rooms.TaskResult:
        totals.append((device, memory.total))
        return rooms.TaskResult(None, "it is only asked how it would be run", permanent=True)

    def ask(numbers: int) -> None:
        queue = rooms.SolveQueue(run_in_worker=partial(rooms.run_in_worker, run=child))
        run(queue.solution(agree("underdog", {"numbers": numbers})))

    monkeypatch.delenv("EVENODDS_DEVICE", raising=False)
    for is_there, numbers in ((True, 12), (True, 8), (False, 12)):
        monkeypatch.setattr(
            "evenodds.engine.gpu.device.is_gpu_there", lambda is_there=is_there: is_there
        )
        with pytest.raises(NotSolved, match="only asked"):
            ask(numbers)
    usual = rooms.SOLVE_MEMORY_MB.total
    assert totals == [("gpu", usual + rooms.GPU_MEMORY_MB), ("cpu", usual), ("cpu", usual)]
    monkeypatch.setenv("EVENODDS_DEVICE", "gpu")
    with pytest.raises(NotSolved, match=r"evenodds\[gpu\]"):
        ask(8)


LONG = {"numbers": "14", "reach": "2", "leaps": "1"}
"""Rulings of the circle that take long to be studied."""


async def patiently(asked: rooms.ReportQueue, game: str, rules: dict[str, str]) -> str:
    while (page := await asked.page("/study", game, rules)) is None:
        pass
    return page


async def asks(asked: rooms.ReportQueue, address: str, *numbers: int) -> None:
    for number in numbers:
        assert await asked.page("/study", "circle", {"numbers": str(number)}, address) is None


@pytest.mark.processes
@pytest.mark.usefixtures("home_with_tables")
@rooms.in_a_loop
async def test_what_is_known_waits_for_nobody() -> None:
    run_study(game("duel", hp=2))

    asked = rooms.ReportQueue()
    asked.WAIT_S = 0.1
    assert await asked.page("/study", "circle", LONG) is None
    assert "<h1>Number Duel</h1>" in await patiently(asked, "duel", {"hp": "2"})
    assert await asked.page("/study", "circle", LONG) is None
    await asked.stop()


class Children:
    """Children that solve nothing; with a stranger's rulings they wait until the gate opens."""

    def __init__(self) -> None:
        self.gate = asyncio.Semaphore(0)
        self.solved: list[str] = []
        self.queue = rooms.ReportQueue(partial(rooms.run_in_worker, run=self.child))
        self.queue.WAIT_S = 0.02

    async def child(self, task: rooms.Task, *_: object) -> rooms.TaskResult:
        _, game, rules, cached_only = task.arguments
        if cached_only:
            return rooms.TaskResult(None)
        if rules:
            await self.gate.acquire()
        self.solved.append(rules.get("numbers", game))
        return rooms.TaskResult(game)


@rooms.in_a_loop
async def test_strangers_wait_in_a_lane_of_their_own() -> None:
    children = Children()
    asked = children.queue
    asked.MAX_ADDRESSES = 4
    for number in range(asked.MAX_ADDRESSES):
        await asks(asked, f"address {number}", number)
    with pytest.raises(rooms.ServerBusy, match="too many studies are being made"):
        await asks(asked, "another", 20)
    await asks(asked, "another", 0)  # what is being made anyway may be waited for
    assert await asked.page("/study", "duel", {}, "another") == "duel"
    assert children.solved == ["duel"]
    children.gate.release()
    assert await patiently(asked, "circle", {"numbers": "0"}) == "circle"
    await asks(asked, "another", 20)
    await asked.stop()


@rooms.in_a_loop
async def test_each_address_has_a_share_of_the_studies() -> None:
    children = Children()
    asked = children.queue
    await asks(asked, "greedy", *range(rooms.ReportQueue.MAX_PENDING_PER_ADDRESS))
    with pytest.raises(rooms.ServerBusy, match="too many studies of yours are being made"):
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


@pytest.mark.parametrize(
    ("began", "error", "said"),
    [
        (rooms.TaskResult(None, "its process died: signal 9"), rooms.ServerBusy, "interrupted"),
        (rooms.TaskResult(None, "it failed: KeyError"), rooms.ServerBusy, "study was interrupted"),
        (OSError("no memory"), OSError, "no memory"),
        (None, rooms.ServerBusy, "takes longer than a server may"),
    ],
    ids=["killed", "a mistake of ours", "not begun", "too long"],
)
@rooms.in_a_loop
async def test_a_failed_study_is_made_again(began: Any, error: type[Exception], said: str) -> None:
    children = [began, rooms.TaskResult("the page")]

    async def child(*_: object) -> rooms.TaskResult:
        found = children.pop(0)
        if found is None:
            await asyncio.Event().wait()
        if isinstance(found, Exception):
            raise found
        assert isinstance(found, rooms.TaskResult)
        return found

    asked = rooms.ReportQueue(partial(rooms.run_in_worker, run=child, timeout_s=0.05))
    with pytest.raises(error, match=said):
        await patiently(asked, "duel", {})
    assert await patiently(asked, "duel", {}) == "the page"


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process holds")
@pytest.mark.own_tables
@rooms.in_a_loop
async def test_a_study_is_held_to_its_memory() -> None:
    held: list[int] = [0]

    def watched(process: int) -> int:
        held.append(rooms.resident_bytes(process))
        return held[-1]

    process = partial(rooms.run_process, measure=watched)
    memory = rooms.WorkerMemory(solving=64, total=100)
    asked = rooms.ReportQueue(partial(rooms.run_in_worker, run=process), memory)
    said = r"this study takes more than the 100 MB that a server has for it; `evenodds study`"
    with pytest.raises(NotSolved, match=said):
        await patiently(asked, "circle", LONG)
    assert 100 << 20 < max(held) < 200 << 20


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits another process")
def test_a_worker_cannot_take_twice_its_memory() -> None:
    task, memory = rooms.Task("builtins:bytearray", (300 << 20,)), rooms.WorkerMemory(64, 128)
    done = run(rooms.run_process(task, memory, str, measure=lambda _: 0))
    assert done.reason == rooms.OUT_OF_MEMORY_REASON


@pytest.mark.processes
@rooms.in_a_loop
async def test_a_study_nobody_asks_for_any_more_is_cancelled() -> None:
    def own_workers() -> list[Any]:
        """Those of this process; a server that tests share has some, too."""
        return [each for each in workers_of(None) if each.ppid() == os.getpid()]

    asked = rooms.ReportQueue()
    asked.WAIT_S, asked.ABANDONED_S = 0.1, 0.2
    assert await asked.page("/study", "circle", LONG, "gone") is None
    assert own_workers()
    await until(lambda: not asked._pending)
    assert not own_workers()
    asked.ABANDONED_S = TIMEOUT_S
    assert "Number Duel" in await patiently(asked, "duel", {"hp": "2"})
    assert await asked.page("/study", "circle", LONG, "back") is None
    await asked.stop()
    assert not own_workers()
    assert asked.progress_of("circle", LONG) == ""


def test_a_job_that_fails_while_it_is_evicted_leaves_no_error() -> None:
    """Whoever asks next may come before it is known that it has failed."""
    first, second = (rooms.JobKey("duel", terms.rulings, False) for terms in CUSTOM[:2])
    errors: list[object] = []

    class Queue(rooms.JobQueue[int]):
        JOBS, MAX_ADDRESSES, MAX_PENDING_PER_ADDRESS, MAX_CACHED, CONCURRENCY = "jobs", 9, 9, 0, 1

    async def ask() -> None:
        queue = Queue()
        asyncio.get_running_loop().set_exception_handler(lambda _, found: errors.append(found))
        others = []

        async def works(_: object) -> int:
            return 1

        async def fails(_: object) -> None:
            others.append(asyncio.create_task(queue.result(second, "b", None, works)))
            raise rooms.ServerBusy("not now")

        with pytest.raises(rooms.ServerBusy):
            await queue.result(first, "a", None, fails)
        assert await others[0] == 1

    run(ask())
    assert errors == []
