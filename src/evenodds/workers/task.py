"""Tasks and their results, as plain data that can be sent to another process."""

import threading
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final, NamedTuple, Protocol

from evenodds.system.text import brief

TASK_LOCK: Final = threading.Lock()
"""One task at a time in a process, however many threads it has: a task takes all its cores."""


DIFFERENT_RULES_REASON: Final = "whoever was to do it has another edition of the game"
"""The answer of a worker whose rules are not those of whoever asks."""


class Task(NamedTuple):
    """A function, as `module:name`, and what it is given: plain data that JSON can hold.

    The function takes the given values in order, and gives back an `TaskResult`.
    """

    work: str
    given: tuple[Any, ...]


class TaskResult(NamedTuple):
    """What came of a task: plain data, or the reason why there is none."""

    found: Any
    reason: str = ""
    lasting: bool = False
    """Whether the reason would be the same the next time, within the same limits."""


class TaskRunner(Protocol):
    """Whoever does the work."""

    @property
    def limits(self) -> str:
        """The limits within which a refusal is lasting; nothing where they are not known."""

    def answers(self, tasks: list[Task]) -> Iterator[tuple[int, TaskResult]]:
        """The answer to each task with its place, as they come; the first are begun first."""


def run_task(task: Task) -> TaskResult:
    """Do a task here and now. Whatever happens, it is an answer."""
    module, _, name = task.work.partition(":")
    with TASK_LOCK:
        try:
            return TaskResult(*getattr(import_module(module), name)(*task.given))
        except Exception as error:  # one task is lost, and the others go on
            return TaskResult(None, failure(error))


def failure(error: BaseException) -> str:
    """What is said of a task that failed for no reason that anyone foresaw."""
    return f"it failed: {type(error).__name__} {brief(str(error), 80)}".strip()
