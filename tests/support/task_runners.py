"""Task runners: in this process, one that records its tasks, a real Dask cluster."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from evenodds.workers.cluster import Cluster, ClusterUnavailable
from evenodds.workers.processes import WORKER_PROGRAM, ProcessPool
from evenodds.workers.task import Task, TaskResult, TaskRunner, run_task
from tests.support.commands import surroundings
from tests.support.waiting import wait_until


class Here:
    """Works in this very process."""

    def __init__(self, limits: str = "") -> None:
        self.limits = limits

    def results(self, tasks: list[Task]) -> Iterator[tuple[int, TaskResult]]:
        return enumerate(map(run_task, tasks))


class Watched:
    """Hands all work on, remembers it, and does something after the first answer."""

    def __init__(self, team: TaskRunner, then: Callable[[], object] = lambda: None) -> None:
        self.team = team
        self.asked: list[Task] = []
        self._then = then

    @property
    def limits(self) -> str:
        return self.team.limits

    def results(self, tasks: list[Task]) -> Iterator[tuple[int, TaskResult]]:
        self.asked += tasks
        for count, found in enumerate(self.team.results(tasks)):
            if count == 0:
                self._then()
            yield found


def workers_of(pid: int | None) -> list[psutil.Process]:
    found = []
    for child in psutil.Process(pid).children(recursive=True):
        with suppress(psutil.Error):  # it has ended meanwhile
            found += [child] if WORKER_PROGRAM in child.cmdline() else []
    return found


@contextmanager
def dask(home: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A real scheduler and two real workers, each a process of its own."""
    told = home.parent / "scheduler.json"

    def start(*arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [Path(sys.executable).with_name("dask"), *arguments, "--no-dashboard"],
            env=surroundings(home),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    file = ("--scheduler-file", str(told))
    started = [start("scheduler", *file, "--host", "127.0.0.1", "--port", "0")]
    try:
        wait_until(lambda: told.exists() and told.read_text().endswith("}"))
        started += [start("worker", *file, "--nthreads", "1", "--no-nanny") for _ in range(2)]
        yield json.loads(told.read_text())["address"], started
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()
