"""A progress bar with an estimate, for what takes longer than a second."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import Any, Final

PATIENCE: Final = 1.0


class Telling:
    """What is being done and how much of it, shown once somebody has waited for a while."""

    def __init__(self) -> None:
        self._lock = Lock()  # threads tell too
        self._stage = ""
        self._done = self._total = 0
        self._bar: Any = None
        self._over = False

    def tell(self, stage: str, done: int, total: int) -> None:
        """So much of a stage is done, of so much in all; 0 where that is not known."""
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
            self._bar = _new_bar()
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
def shown_progress() -> Iterator[Callable[[str, int, int], None]]:
    """Something to tell of progress; on a terminal a bar shows it to those who must wait."""
    telling = Telling()
    timer = Timer(PATIENCE, telling.open)
    timer.daemon = True
    if sys.stderr.isatty():
        timer.start()
    try:
        yield telling.tell
    finally:
        timer.cancel()
        telling.stop()


def _new_bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.text import Text

    class Done(ProgressColumn):
        """How much is done, once anything is."""

        def render(self, task: Task) -> Text:
            return Text(f"{task.completed:,.0f}" if task.completed else "")

    class Estimate(ProgressColumn):
        """How long it will take; how long it has taken where nobody knows."""

        def render(self, task: Task) -> Text:
            left = task.time_remaining
            if left is None:
                return Text(f"{task.elapsed or 0:.0f} s so far")
            return Text(f"about {_span(left)} to go")

    columns = (
        TextColumn("{task.description}"),
        BarColumn(24),
        Done(),
        Estimate(),
    )
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task("beginning", total=None)
    return bar


def _span(seconds: float) -> str:
    """A stretch of time as people say it: seconds, and minutes when there are many."""
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
