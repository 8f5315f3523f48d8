"""Task runner on this machine: a pool of worker processes, with retries.

A process that is killed costs another try. None outlives whoever has started it: its input is a
pipe, and it ends when that does.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock
from typing import Final

from evenodds.solver import memory_limit
from evenodds.system.environment import core_limit
from evenodds.workers.task import Task, TaskResult

MAX_TASK_ATTEMPTS: Final = 3
"""How often a task is begun whose process dies."""
PROCESS_EXIT_TIMEOUT_S: Final = 5.0
"""Seconds in which a process that is told to end does so."""
WORK: Final = "from evenodds.workers.worker import main; main()"


class ProcessPool:
    """Processes on this machine, one for each core unless it is said how many."""

    def __init__(self, processes: int | None = None) -> None:
        self._processes = processes or core_limit()

    @property
    def limits(self) -> str:
        """The limits within which a refusal is lasting."""
        return str(memory_limit() // self._processes)

    def answers(self, tasks: list[Task]) -> Iterator[tuple[int, TaskResult]]:
        """The answer to each task with its place, as they come."""
        count = min(self._processes, len(tasks))
        if not count:
            return
        idle: SimpleQueue[_WorkerProcess] = SimpleQueue()
        hands = [_WorkerProcess(self._surroundings()) for _ in range(count)]
        for hand in hands:
            idle.put(hand)
        pool = ThreadPoolExecutor(count)
        try:
            asked = {pool.submit(_ask, idle, task): place for place, task in enumerate(tasks)}
            for done in as_completed(asked):
                yield asked[done], done.result()
        finally:
            for hand in hands:
                hand.end()
            pool.shutdown(wait=True, cancel_futures=True)

    def _surroundings(self) -> dict[str, str]:
        """Each process has its share of the cores and of the memory."""
        single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
        return {
            **os.environ,
            **single,
            "EVENODDS_CORES": str(max(1, core_limit() // self._processes)),
            "EVENODDS_MEMORY_MB": str(max(1, memory_limit() // self._processes >> 20)),
        }


def _ask(idle: "SimpleQueue[_WorkerProcess]", task: Task) -> TaskResult:
    """Have a task done by whoever is idle, once more if that one dies."""
    hand = idle.get()
    try:
        for _ in range(MAX_TASK_ATTEMPTS):
            answer = hand.ask(task)
            if answer is not None:
                return answer
        return TaskResult(
            None, f"the process that did it died {MAX_TASK_ATTEMPTS} times: {hand.last_words}"
        )
    finally:
        idle.put(hand)


class _WorkerProcess:
    """One process, started when it is first asked and again when it has died."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = environment
        self._process: subprocess.Popen[str] | None = None
        self._over = False
        self._lock = Lock()
        self.last_words = ""

    def ask(self, task: Task) -> TaskResult | None:
        """The answer, or None where the process dies over it."""
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(task) + "\n")
            process.stdin.flush()
            return TaskResult(*json.loads(process.stdout.readline()))
        except (OSError, ValueError):
            status = _ended(process)
            self.last_words = f"signal {-status}" if status < 0 else f"exit code {status}"
            with self._lock:
                self._process = None
            return None

    def end(self) -> None:
        """End the process, whatever it does, and start none any more."""
        with self._lock:
            self._over = True
            if self._process is not None:
                _ended(self._process)

    def _started(self) -> "subprocess.Popen[str]":
        with self._lock:
            if self._over:
                raise RuntimeError("the crew has gone home")
            if self._process is None:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-c", WORK],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env=self._environment,
                    text=True,
                    encoding="utf-8",
                    start_new_session=True,  # Ctrl-C is for whoever asked
                )
            return self._process


def _ended(process: "subprocess.Popen[str]") -> int:
    """The exit code of a process that is told to end, and killed if it does not."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(OSError):
        process.stdin.close()
    try:
        return process.wait(PROCESS_EXIT_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()
    finally:
        process.stdout.close()
