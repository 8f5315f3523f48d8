"""Main loop of a worker process: tasks on standard input, results on standard output.

Progress of a task that reports it goes there too: a JSON string before the result, which is a list.
"""

import json
import os
import sys
import threading
import time
from queue import SimpleQueue
from typing import Final, TextIO

from evenodds.workers.task import TASK_LOCK, TASK_PROGRESS, Task, run_task

PROGRESS_INTERVAL_S: Final = 0.5
"""Seconds between two progress reports."""


def main() -> None:
    """Read tasks from standard input, a line each, and write their results.

    When standard input closes, this process exits at once, even in the middle of a task. So a
    thread reads it: the main thread is busy with the task.
    """
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print must not mix with results
    TASK_PROGRESS.set(ProgressWriter(results))
    waiting: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_read_tasks, args=(sys.stdin, waiting), daemon=True).start()
    while line := waiting.get():
        function, arguments = json.loads(line)
        results.write(json.dumps(run_task(Task(function, tuple(arguments)))) + "\n")
        results.flush()


class ProgressWriter:
    """Writes progress reports, but not each."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._written_at = time.monotonic()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Write one, if the last was some time ago."""
        if time.monotonic() - self._written_at > PROGRESS_INTERVAL_S:
            self._written_at = time.monotonic()
            text = f"{stage}: {done:,} of {total:,}" if total else f"{stage}: {done:,}"
            self._stream.write(json.dumps(text) + "\n")
            self._stream.flush()


def _read_tasks(stream: TextIO, waiting: "SimpleQueue[str]") -> None:
    """Queue tasks; at the end of input exit, by force where a task is running."""
    for line in stream:
        waiting.put(line)
    waiting.put("")
    if not TASK_LOCK.acquire(blocking=False):
        os._exit(1)
    TASK_LOCK.release()
