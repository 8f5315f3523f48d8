"""A progress bar with an estimate, for what takes longer than a second."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

PATIENCE = 1.0


@contextmanager
def shown_progress() -> Iterator[Callable[[str, int, int], None]]:
    """Something to tell of progress; it is shown on a terminal once a second has passed."""
    start = time.monotonic()
    bars: list[Any] = []
    tasks: dict[str, Any] = {}
    lock = Lock()  # threads tell too

    def tell(stage: str, done: int, total: int) -> None:
        if time.monotonic() - start < PATIENCE or not sys.stderr.isatty():
            return
        with lock:
            if not bars:
                bars.append(_bar())
            if stage not in tasks:
                tasks[stage] = bars[0].add_task(stage, total=total or None)
            bars[0].update(tasks[stage], completed=done, total=total or None)

    try:
        yield tell
    finally:
        for bar in bars:
            bar.stop()


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,} positions"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    bar.start()
    return bar
