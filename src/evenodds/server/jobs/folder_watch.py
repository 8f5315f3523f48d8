"""Watches the folders of the games that a server was started with, while their authors edit them.

Rules are never exchanged in a running process: it has positions, tables and compiled code of them.
So the server starts anew with sound ones, and keeps those that it has where new ones are not.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from evenodds.core import catalog, game_folder
from evenodds.core.terms import agree
from evenodds.server.jobs.solve_queue import DEFAULT_RULINGS_MEMORY_MB
from evenodds.server.jobs.worker_processes import run_process
from evenodds.system import EvenOddsError
from evenodds.workers.task import Task, TaskResult

POLL_S: Final = 0.5
"""Seconds between two looks at the files."""


async def watch_folders(say: Callable[[str], None], restart: Callable[[], None]) -> None:
    """Call `restart` once the rules in a folder have changed and are sound; tell what happens."""
    seen: dict[str, game_folder.Edition] = {}
    while True:
        await asyncio.sleep(POLL_S)
        for name, folder in catalog.folders().items():
            now = game_folder.edition(folder)
            if not game_folder.is_changed(folder) or now == seen.get(name):
                continue
            seen[name] = now
            task = Task(f"{__name__}:check", (folder,))
            result = await run_process(task, DEFAULT_RULINGS_MEMORY_MB, str)
            if result.reason:
                say(f"{name} has changed. The server keeps the rules from before: {result.reason}")
            else:
                say(f"{name} has changed. The server starts again with its new rules.")
                restart()
                return


def check(folder: str) -> TaskResult:
    """Task of a worker process: whether a match of the game can be played."""
    try:
        agree(game_folder.load(folder))
    except EvenOddsError as error:
        return TaskResult(None, str(error))
    return TaskResult(True)
