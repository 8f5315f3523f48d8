"""Main loop of a worker process: tasks on standard input, results on standard output."""

import json
import os
import sys
import threading
from queue import SimpleQueue
from typing import TextIO

from evenodds.workers.task import TASK_LOCK, Task, run_task


def main() -> None:
    """Read tasks from standard input, a line each, and answer them one by one.

    When whoever asks is gone, this process ends at once, in the middle of a task too.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print is not an answer
    waiting: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin, waiting), daemon=True).start()
    while line := waiting.get():
        work, given = json.loads(line)
        answers.write(json.dumps(run_task(Task(work, tuple(given)))) + "\n")
        answers.flush()


def _listen(asked: TextIO, waiting: "SimpleQueue[str]") -> None:
    """Hand on what is asked; at the end of it stop whatever is going on."""
    for line in asked:
        waiting.put(line)
    waiting.put("")
    if not TASK_LOCK.acquire(blocking=False):
        os._exit(1)
    TASK_LOCK.release()
