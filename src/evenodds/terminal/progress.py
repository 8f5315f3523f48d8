"""A progress bar with a time estimate, shown when work takes longer than a second."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, Task

SHOW_PROGRESS_AFTER_S: Final = 1.0
MAX_BAR_COLUMNS: Final = 24
MIN_BAR_COLUMNS: Final = 6
TEXT_COLUMNS_BESIDE_BAR: Final = 56
"""Columns that are left for a verb, a count of millions and an estimate beside a bar."""


class ProgressDisplay:
    """What is being done and how much of it, shown once somebody has waited for a while."""

    def __init__(self) -> None:
        self._lock = Lock()  # threads tell too
        self._stage = ""
        self._done = self._total = 0
        self._bar: Any = None
        self._over = False

    def tell(self, stage: str, done: int, total: int) -> None:
        """So much of a stage is done, of so much in all; 0 where that is not known.

        A stage is a verb, and after it what is counted.
        """
        with self._lock:
            begins = stage != self._stage
            self._stage, self._done, self._total = stage, done, total
            if self._bar is not None:
                self._draw(begins)

    def open(self) -> None:
        """Show what is being done, and from now on how it goes on."""
        with self._lock:
            if self._over:
                return
            from rich.console import Console

            self._bar = new_bar(Console(stderr=True))
            self._bar.start()
            if self._stage:
                self._draw(True)

    def stop(self) -> None:
        """Show nothing any more."""
        with self._lock:
            self._over = True
            if self._bar is not None:
                self._bar.stop()

    def _draw(self, begins: bool) -> None:
        task, total = self._bar.task_ids[0], self._total or None
        if begins:  # another stage has a pace of its own
            self._bar.reset(task, description=self._stage, total=total)
        self._bar.update(task, completed=self._done, total=total)


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """Something to tell of progress; on a terminal a bar shows it to those who must wait."""
    telling = ProgressDisplay()
    timer = Timer(SHOW_PROGRESS_AFTER_S, telling.open)
    timer.daemon = True
    if sys.stderr.isatty():
        timer.start()
    try:
        yield telling.tell
    finally:
        timer.cancel()
        telling.stop()


def new_bar(console: "Console") -> "Progress":
    """A line that says what is done: with a bar and a count where there is room for them."""
    from rich.progress import BarColumn, Progress, ProgressColumn, Task
    from rich.table import Table
    from rich.text import Text

    class Line(ProgressColumn):
        """What is being done, how much of it, and how long it will take."""

        def render(self, task: Task) -> Text | Table:
            room = min(MAX_BAR_COLUMNS, console.width - TEXT_COLUMNS_BESIDE_BAR)
            if room < MIN_BAR_COLUMNS:
                line = f"{task.description}, {_estimate(task)}"
                return Text(line, no_wrap=True, overflow="ellipsis")
            verb, _, counted = task.description.partition(" ")
            done = f"{task.completed:,.0f} {counted}," if task.completed else ""
            grid = Table.grid(padding=(0, 1))
            grid.add_row(verb, BarColumn(room).render(task), done, _estimate(task))
            return grid

    bar = Progress(Line(), console=console, transient=True)
    bar.add_task("beginning", total=None)
    return bar


def _estimate(task: "Task") -> str:
    """How long it will take; how long it has taken where nobody knows."""
    left = task.time_remaining
    return (
        f"{task.elapsed or 0:.0f} s so far"
        if left is None
        else f"about {_format_duration(left)} to go"
    )


def _format_duration(seconds: float) -> str:
    """A stretch of time as people say it: seconds, and minutes when there are many."""
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
