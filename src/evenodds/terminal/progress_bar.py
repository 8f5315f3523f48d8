"""Progress of long work: a bar with a time estimate on a terminal, else a line now and then."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

Clock = Callable[[], float]
SHOW_PROGRESS_AFTER_S: Final = 1.0
PROGRESS_LINE_INTERVAL_S: Final = 30.0
"""Seconds between two lines of progress where standard error is no terminal."""
MAX_BAR_COLUMNS: Final = 24
MIN_BAR_COLUMNS: Final = 6
TEXT_COLUMNS_BESIDE_BAR: Final = 56
"""Columns for a verb, a count of millions and an estimate beside the bar."""


class ProgressDisplay:
    """The progress of a stage; drawn only after `open`, when the work has taken a while."""

    def __init__(self) -> None:
        # Protects all below: threads of work report, and a timer thread opens the bar.
        self._lock = Lock()
        self._stage = ""
        self._done = self._total = 0
        self._bar: Any = None
        self._stopped = False

    def report(self, stage: str, done: int, total: int) -> None:
        """Report how much of a stage is done, of how much in all; 0 where that is not known.

        A stage is a verb followed by what is counted.
        """
        with self._lock:
            new_stage = stage != self._stage
            self._stage, self._done, self._total = stage, done, total
            if self._bar is not None:
                self._draw(new_stage)

    def open(self) -> None:
        """Show the bar from now on."""
        with self._lock:
            if self._stopped:
                return
            from rich.console import Console

            self._bar = new_bar(Console(stderr=True))
            self._bar.start()
            if self._stage:
                self._draw(True)

    def stop(self) -> None:
        """Remove the bar for good."""
        with self._lock:
            self._stopped = True
            if self._bar is not None:
                self._bar.stop()

    def _draw(self, new_stage: bool) -> None:
        task, total = self._bar.task_ids[0], self._total or None
        if new_stage:  # the time estimate starts anew
            self._bar.reset(task, description=self._stage, total=total)
        self._bar.update(task, completed=self._done, total=total)


class ProgressLines:
    """Lines of progress on standard error, for pipes and logs; none while work is short."""

    def __init__(self, interval_s: float = PROGRESS_LINE_INTERVAL_S) -> None:
        self._interval_s = interval_s
        self._next_line = time.monotonic() + interval_s

    def report(self, stage: str, done: int, total: int) -> None:
        """Report as `ProgressDisplay.report` does."""
        if time.monotonic() < self._next_line:
            return
        self._next_line = time.monotonic() + self._interval_s
        count = f": {done:,} of {total:,}" if total else f": {done:,}" if done else ""
        sys.stderr.write(f"{stage}{count}\n")
        sys.stderr.flush()


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """A function that reports progress; on a terminal a bar shows it after a second."""
    if not sys.stderr.isatty():
        yield ProgressLines().report
        return
    display = ProgressDisplay()
    timer = Timer(SHOW_PROGRESS_AFTER_S, display.open)
    timer.daemon = True
    timer.start()
    try:
        yield display.report
    finally:
        timer.cancel()
        display.stop()


def new_bar(console: "Console", clock: Clock = time.monotonic) -> "Progress":
    """A progress line, with a bar and a count where the terminal is wide enough."""
    from rich.progress import BarColumn, Progress, ProgressColumn, Task
    from rich.table import Table
    from rich.text import Text

    class Line(ProgressColumn):
        """The stage, the count and the time estimate."""

        def render(self, task: Task) -> Text | Table:
            width = min(MAX_BAR_COLUMNS, console.width - TEXT_COLUMNS_BESIDE_BAR)
            if width < MIN_BAR_COLUMNS:
                line = f"{task.description}, {estimate.text(task.time_remaining)}"
                return Text(line, no_wrap=True, overflow="ellipsis")
            verb, _, counted = task.description.partition(" ")
            done = f"{task.completed:,.0f} {counted}," if task.completed else ""
            grid = Table.grid(padding=(0, 1))
            grid.add_row(
                verb, BarColumn(width).render(task), done, estimate.text(task.time_remaining)
            )
            return grid

    estimate = TimeEstimate(clock)
    bar = Progress(Line(), console=console, transient=True)
    bar.add_task("beginning", total=None)
    return bar


class TimeEstimate:
    """The time that is left, as a figure that only falls; else the time since the work began.

    Work has stages, and nobody knows how long those ahead will take. So where a new stage would
    need much longer than was said, nothing is promised any more until it comes near that again.
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._least: float | None = None

    def text(self, seconds_left: float | None) -> str:
        """What is said of the time, given an estimate for the present stage."""
        least = self._least
        if seconds_left is None or (least is not None and seconds_left > least + max(3, least / 2)):
            return f"{self._clock() - self._began:.0f} s so far"
        self._least = seconds_left if least is None else min(least, seconds_left)
        return f"about {_format_duration(max(1, self._least))} to go"


def _format_duration(seconds: float) -> str:
    """Seconds, or minutes for long times."""
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
