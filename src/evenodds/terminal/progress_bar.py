"""Progress of long work: a bar with a time estimate on a terminal, else a line now and then."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from socket import socketpair
from threading import Event, Thread, current_thread, main_thread
from typing import TYPE_CHECKING, Final

from evenodds.core.terms import Terms
from evenodds.engine.on_demand import solution_for
from evenodds.system import EXIT_INTERRUPTED

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from evenodds.engine.solution import Solution

SHOW_PROGRESS_AFTER_S: Final = 1.0
INTERRUPTION_S: Final = 5.0
"""Seconds that work has to end after Ctrl-C."""
SHOW_CURSOR: Final = "\x1b[?25h"
BAR_INTERVAL_S: Final = 0.1
"""Seconds between two looks at what was reported last."""
PROGRESS_LINE_INTERVAL_S: Final = 30.0
"""Seconds between two lines of progress where standard error is no terminal."""
DIALOG_LINE_INTERVAL_S: Final = 4.0
"""Seconds between two lines of progress on a terminal, where no bar is wanted."""
MAX_BAR_COLUMNS: Final = 24
MIN_BAR_COLUMNS: Final = 6
TEXT_COLUMNS_BESIDE_BAR: Final = 56
"""Columns for a verb, a count of millions and an estimate beside the bar."""


class ProgressLines:
    """Lines of progress on standard error, for pipes and logs; none while work is short."""

    def __init__(self, interval_s: float = PROGRESS_LINE_INTERVAL_S) -> None:
        self._interval_s = interval_s
        self._next_line = time.monotonic() + interval_s

    def report(self, stage: str, done: int, total: int) -> None:
        """Report how much of a stage is done, of how much in all; 0 where that is not known.

        A stage is a verb followed by what is counted.
        """
        if time.monotonic() < self._next_line:
            return
        self._next_line = time.monotonic() + self._interval_s
        count = f": {done:,} of {total:,}" if total else f": {done:,}" if done else ""
        sys.stderr.write(f"{stage}{count}\n")
        sys.stderr.flush()


@contextmanager
def progress_bar(bars: bool = True) -> Iterator[Callable[[str, int, int], None]]:
    """A function that reports progress; on a terminal a bar or lines show it after a second."""
    with _interruptible(), _reports(bars) as report:
        yield report


@contextmanager
def _interruptible() -> Iterator[None]:
    """End the process some seconds after Ctrl-C, where compiled rules that never return hold it.

    Python hears of Ctrl-C between two of its own steps, and takes none meanwhile.
    """
    if current_thread() is not main_thread():
        yield
        return
    reader, writer = socketpair()
    writer.setblocking(False)
    before, ended = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False), Event()

    def end() -> None:
        with reader:
            while (heard := reader.recv(1)) and heard[0] != signal.SIGINT:
                pass
        if heard and not ended.wait(INTERRUPTION_S):
            shown = SHOW_CURSOR if sys.stderr.isatty() else ""
            sys.stderr.write(
                f"{shown}\nStopped: something compiled, such as a rule, did not return.\n"
            )
            sys.stderr.flush()
            os._exit(EXIT_INTERRUPTED)

    Thread(target=end, daemon=True).start()
    try:
        yield
    finally:
        ended.set()
        signal.set_wakeup_fd(before)
        writer.close()


@contextmanager
def _reports(bars: bool) -> Iterator[Callable[[str, int, int], None]]:
    if not sys.stderr.isatty():
        yield ProgressLines().report
        return
    told, ended = ("computing", 0, 0), Event()

    def report(stage: str, done: int, total: int) -> None:
        nonlocal told
        told = stage, done, total

    def draw() -> None:
        if ended.wait(SHOW_PROGRESS_AFTER_S):
            return
        if not bars or os.environ.get("TERM") == "dumb":
            said: tuple[str, int, int] | None = None
            while said is None or not ended.wait(DIALOG_LINE_INTERVAL_S):
                if said != told:
                    ProgressLines(0).report(*told)
                    said = told
            return
        from rich.console import Console

        shown_stage = ""
        with new_bar(Console(stderr=True)) as bar:
            task = bar.task_ids[0]
            while not ended.wait(BAR_INTERVAL_S):
                stage, done, total = told
                if stage != shown_stage:  # the time estimate starts anew
                    bar.reset(task, description=stage, total=total or None)
                    shown_stage = stage
                bar.update(task, completed=done, total=total or None)

    drawing = Thread(target=draw, daemon=True)
    drawing.start()
    try:
        yield report
    finally:
        ended.set()
        drawing.join()


def solve_with_progress(terms: Terms, bars: bool = True) -> "Solution":
    """The solution under the terms of a match, telling progress; `NotSolved` says why not."""
    with progress_bar(bars) as progress:
        return solution_for(terms, progress)


def new_bar(console: "Console", clock: Callable[[], float] = time.monotonic) -> "Progress":
    """A progress line, with a bar and a count where the terminal is wide enough."""
    from rich.progress import BarColumn, Progress, ProgressColumn, Task
    from rich.table import Table
    from rich.text import Text

    class Line(ProgressColumn):
        """The stage, the count and the time estimate."""

        def render(self, task: Task) -> Text | Table:
            width = min(MAX_BAR_COLUMNS, console.width - TEXT_COLUMNS_BESIDE_BAR)
            time_left = estimate.text(task.time_remaining)
            if width < MIN_BAR_COLUMNS:
                line = f"{task.description}, {time_left}"
                return Text(line, no_wrap=True, overflow="ellipsis")
            verb, _, counted = task.description.partition(" ")
            done = f"{task.completed:,.0f} {counted}," if task.completed else ""
            grid = Table.grid(padding=(0, 1))
            grid.add_row(verb, BarColumn(width).render(task), done, time_left)
            return grid

    estimate = TimeEstimate(clock)
    bar = Progress(Line(), console=console, transient=True)
    bar.add_task("computing", total=None)
    return bar


class TimeEstimate:
    """The time that is left, as a figure that only falls; else the time since the work began.

    Work has stages, and nobody knows how long those ahead will take. So where a new stage would
    need much longer than was said, nothing is promised any more until it comes near that again.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._began = clock()
        self._least: float | None = None

    def text(self, seconds_left: float | None) -> str:
        """What is said of the time, given an estimate for the present stage."""
        least = self._least
        if seconds_left is None or (least is not None and seconds_left > least + max(3, least / 2)):
            return f"{self._clock() - self._began:.0f} s so far"
        self._least = seconds_left if least is None else min(least, seconds_left)
        seconds = max(1, self._least)
        about = f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
        return f"about {about} to go"
