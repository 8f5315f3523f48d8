"""Tasks and their results, as plain data that can be sent to another process."""

import threading
from collections.abc import Iterator
from contextvars import ContextVar
from importlib import import_module
from typing import Any, Final, NamedTuple, Protocol

from evenodds.system.progress import Progress, silent
from evenodds.system.text import shorten

TASK_LOCK: Final = threading.Lock()
"""Held while a task runs: one task at a time in a process, since a task uses all its cores."""
TASK_PROGRESS: Final[ContextVar[Progress]] = ContextVar("TASK_PROGRESS", default=silent)
"""Where a task may report its progress."""
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


def run_task(task: Task) -> TaskResult:
    """Run a task in this process; an exception becomes a result with a reason."""
    module, _, name = task.function.partition(":")
    with TASK_LOCK:
        try:
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
