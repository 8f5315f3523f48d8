"""Task runner on this machine: a pool of worker processes, with retries.

A task whose process dies is retried; processes, so that one killed for its memory does not take the
others along. No process outlives its parent: it ends when its standard input closes.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock
from typing import Final

from evenodds.core.catalog import folders
from evenodds.system.environment import core_limit, memory_limit
from evenodds.workers.task import Task, TaskResult

MAX_TASK_ATTEMPTS: Final = 3
"""Attempts at a task whose process dies."""
PROCESS_EXIT_TIMEOUT_S: Final = 5.0
"""Time that a process has to end after its input is closed, before it is killed."""
WORKER_PROGRAM: Final = "from evenodds.workers.task import main; main()"


class ProcessPool:
    """Processes on this machine, by default one for each core."""

    def __init__(self, processes: int | None = None, program: str = WORKER_PROGRAM) -> None:
        self._processes = processes or core_limit()
        self._program = program

    @property
    def limits(self) -> str:
        """The memory of a process, within which a refusal is permanent."""
        return str(memory_limit() // self._processes)

    def results(self, tasks: list[Task]) -> Iterator[tuple[int, TaskResult]]:
        """The result of each task with its index, in order of completion."""
        count = min(self._processes, len(tasks))
        if not count:
            return
        cores = max(1, core_limit() // self._processes)
        environment = worker_environment(cores, max(1, int(self.limits) >> 20))
        workers = [WorkerProcess(environment, self._program) for _ in range(count)]
        idle: SimpleQueue[WorkerProcess] = SimpleQueue()
        for worker in workers:
            idle.put(worker)
        pool = ThreadPoolExecutor(count)
        try:
            asked = {
                pool.submit(_run_on_idle_worker, idle, task): place
                for place, task in enumerate(tasks)
            }
            for done in as_completed(asked):
                yield asked[done], done.result()
        finally:
            for worker in workers:
                worker.close()
            pool.shutdown(wait=True, cancel_futures=True)


def worker_environment(cores: int, memory_mb: int) -> dict[str, str]:
    """The environment of a worker process that may use so many cores and megabytes."""
    single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    limits = {"EVENODDS_CORES": str(cores), "EVENODDS_MEMORY_MB": str(memory_mb)}
    return {**os.environ, **single, **limits}


def _run_on_idle_worker(idle: "SimpleQueue[WorkerProcess]", task: Task) -> TaskResult:
    """Run a task on an idle worker; retried there if its process dies."""
    worker = idle.get()
    try:
        for _ in range(MAX_TASK_ATTEMPTS):
            if result := worker.run(task):
                return result
    finally:
        idle.put(worker)
    reason = f"the process that did it died {MAX_TASK_ATTEMPTS} times: {worker.exit_reason}"
    return TaskResult(None, reason)


class WorkerProcess:
    """One worker process, started on first use and again after it has died.

    The lock protects `_process` and `_closed`: `close` runs in another thread than `run`, and no
    process must be started after it.
    """

    def __init__(self, environment: dict[str, str], program: str = WORKER_PROGRAM) -> None:
        self._environment = environment
        self._program = program
        self._process: subprocess.Popen[str] | None = None
        self._closed = False
        self._lock = Lock()
        self.exit_reason = ""

    def run(self, task: Task, on_progress: Callable[[str], object] = str) -> TaskResult | None:
        """The result; None where the process died."""
        process = self.start()
        assert process.stdin
        assert process.stdout
        try:
            process.stdin.write(json.dumps([task, [*folders().values()]]) + "\n")
            process.stdin.flush()
            while isinstance(answer := json.loads(process.stdout.readline()), str):
                on_progress(answer)
            return TaskResult(*answer)
        except (OSError, ValueError):
            status = _stop_process(process)
            self.exit_reason = f"signal {-status}" if status < 0 else f"exit code {status}"
            with self._lock:
                self._process = None
            return None

    def close(self) -> None:
        """End the process at once and start no other."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                _stop_process(self._process)

    def start(self) -> "subprocess.Popen[str]":
        """The process, started where there is none."""
        with self._lock:
            if self._closed:
                raise RuntimeError("the worker process is closed")
            if self._process is None:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-c", self._program],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env=self._environment,
                    text=True,
                    encoding="utf-8",
                    start_new_session=True,  # Ctrl-C must reach the parent only
                )
            return self._process


def _stop_process(process: "subprocess.Popen[str]") -> int:
    """Close the input of a process, kill it if it does not end; its exit code."""
    assert process.stdin
    assert process.stdout
    with suppress(OSError):
        process.stdin.close()
    try:
        return process.wait(PROCESS_EXIT_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()
    finally:
        process.stdout.close()
