"""Main loop of a worker process: tasks on standard input, results on standard output."""

import json
import os
import sys
import threading
from queue import SimpleQueue
from typing import TextIO

from evenodds.workers.task import TASK_LOCK, Task, run_task


def main() -> None:
    """Read tasks from standard input, a line each, and write their results.

    When standard input closes, this process exits at once, even in the middle of a task. So a
    thread reads it: the main thread is busy with the task.
    """
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print must not mix with results
    waiting: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_read_tasks, args=(sys.stdin, waiting), daemon=True).start()
    while line := waiting.get():
        function, arguments = json.loads(line)
        results.write(json.dumps(run_task(Task(function, tuple(arguments)))) + "\n")
        results.flush()


def _read_tasks(stream: TextIO, waiting: "SimpleQueue[str]") -> None:
    """Queue tasks; at the end of input exit, by force where a task is running."""
    for line in stream:
        waiting.put(line)
    waiting.put("")
    if not TASK_LOCK.acquire(blocking=False):
        os._exit(1)
    TASK_LOCK.release()
