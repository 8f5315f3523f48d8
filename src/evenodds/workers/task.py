"""Tasks and their results, as plain data; the main loop of a process that runs them."""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from importlib import import_module
from queue import SimpleQueue
from typing import Any, Final, NamedTuple, Protocol

from evenodds.core.game_folder import is_changed, load
from evenodds.system import EvenOddsError, Progress, silent
from evenodds.system.text import shorten

TASK_LOCK: Final = threading.Lock()
"""Held while a task runs: one task at a time in a process, since a task uses all its cores."""
TASK_PROGRESS: Final[ContextVar[Progress]] = ContextVar("TASK_PROGRESS", default=silent)
"""Where a task may report its progress."""
PROGRESS_INTERVAL_S: Final = 0.5
"""Seconds between two progress reports of a process."""
DIFFERENT_RULES_REASON: Final = "whoever was to do it has another edition of the game"
"""The reason given by a worker whose rules differ from the sender's."""
OUT_OF_MEMORY_REASON: Final = "it failed: MemoryError"


class Task(NamedTuple):
    """A function, as `module:name`, and its arguments: plain data that JSON can hold.

    The function returns a `TaskResult`.
    """

    function: str
    arguments: tuple[Any, ...]


class TaskResult(NamedTuple):
    """The result of a task: plain data, or the reason why there is none."""

    value: Any
    reason: str = ""
    permanent: bool = False
    """Whether a retry within the same limits would fail for the same reason."""


class TaskRunner(Protocol):
    """Runs tasks: a process pool or a cluster."""

    @property
    def limits(self) -> str:
        """The limits within which a refusal is permanent; nothing where they are not known."""

    def results(self, tasks: list[Task]) -> Iterator[tuple[int, TaskResult]]:
        """The result of each task with its index, as they complete; started in order."""


class InThisProcess:
    """Does tasks one after the other in this process, by a function of their arguments."""

    limits = ""

    def __init__(self, work: Callable[..., TaskResult]) -> None:
        self._work = work

    def results(self, tasks: list[Task]) -> Iterator[tuple[int, TaskResult]]:
        """The result of each task with its index; errors are raised."""
        for place, task in enumerate(tasks):
            yield place, self._work(*task.arguments)


def run_task(task: Task, folders: Iterable[str] = ()) -> TaskResult:
    """Run a task in this process; an exception becomes a result with a reason.

    `folders` are those of games that whoever sends it has loaded: their paths were typed there.
    """
    module, _, name = task.function.partition(":")
    with TASK_LOCK:
        try:
            for folder in folders:
                with suppress(EvenOddsError):  # of another game, or found out where it is missed
                    if is_changed(folder):
                        load(folder)
            return TaskResult(*getattr(import_module(module), name)(*task.arguments))
        except MemoryError:
            return TaskResult(None, OUT_OF_MEMORY_REASON)
        except Exception as error:  # one task fails, the others go on
            return TaskResult(None, failure(error))


def failure(error: BaseException) -> str:
    """The reason of a task that failed with an unexpected exception."""
    return f"it failed: {type(error).__name__} {shorten(str(error), 80)}".strip()


def progress_text(stage: str, done: int, total: int) -> str:
    """Progress in a line."""
    return f"{stage}: {done:,} of {total:,}" if total else f"{stage}: {done:,}"


def main() -> None:
    """Read tasks from standard input, a line each, and write their results.

    The result is a list; progress goes before it as a string, now and then. When standard input
    closes, this process exits at once, even in the middle of a task. So a thread reads it: the
    main thread is busy with the task.
    """
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print must not mix with results
    next_report = time.monotonic() + PROGRESS_INTERVAL_S

    def write(data: object) -> None:
        results.write(json.dumps(data) + "\n")
        results.flush()

    def report(stage: str, done: int, total: int) -> None:
        nonlocal next_report
        if time.monotonic() > next_report:
            next_report = time.monotonic() + PROGRESS_INTERVAL_S
            write(progress_text(stage, done, total))

    TASK_PROGRESS.set(report)
    waiting: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_read_tasks, args=(waiting,), daemon=True).start()
    while line := waiting.get():
        (function, arguments), folders = json.loads(line)
        write(run_task(Task(function, tuple(arguments)), folders))


def _read_tasks(waiting: "SimpleQueue[str]") -> None:
    """Queue tasks; at the end of input exit, by force where a task is running."""
    for line in sys.stdin:
        waiting.put(line)
    waiting.put("")
    if not TASK_LOCK.acquire(blocking=False):
        os._exit(1)
    TASK_LOCK.release()
