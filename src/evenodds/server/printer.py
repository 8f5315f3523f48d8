"""The printer of studies: each page made by a child process, one at a time, and kept."""

import asyncio
import json
import os
import shutil
import sys
from collections import OrderedDict
from typing import Any, Final

from evenodds.exact import NotSolved
from evenodds.server.desk import TOO_LONG, Busy

WAITING: Final = 4
"""Pages that may wait to be made; whoever comes then is asked to come again."""
KEPT: Final = 40
"""Pages that are kept."""
SECONDS: Final = 900.0
"""How long making a page may take."""
USUAL, OTHER = "1024", "64"
"""Megabytes for games as their books have them, and for rulings that anybody may think of."""
PATIENCE: Final = 2.0
"""Seconds that whoever asks is kept waiting; the work goes on, and they ask again."""

Key = tuple[str, tuple[tuple[str, str], ...]]


class Printer:
    """Pages that are made or being made, and those that could not be; the latest last."""

    def __init__(self) -> None:
        self._pages: OrderedDict[Key, asyncio.Task[str]] = OrderedDict()
        self._turn = asyncio.Lock()

    async def page(self, home: str, game: str, rules: dict[str, str]) -> str | None:
        """A page; None while it is being made. `NotSolved` and `Busy` refuse it."""
        key = (game, tuple(sorted(rules.items())))
        if key not in self._pages:
            if sum(not task.done() for task in self._pages.values()) >= WAITING:
                raise Busy("too many studies are being made; ask again in a moment")
            order = {"home": home, "game": game, "rules": rules}
            self._pages[key] = asyncio.create_task(self._make(order, OTHER if rules else USUAL))
            self._tidy()
        self._pages.move_to_end(key)
        task = self._pages[key]
        await asyncio.wait([task], timeout=PATIENCE)
        if not task.done():
            return None
        if isinstance(task.exception(), Busy):  # it was interrupted, and may be asked for again
            self._pages.pop(key, None)
        return task.result()

    async def _make(self, order: dict[str, Any], memory: str) -> str:
        async with self._turn:
            child = await asyncio.create_subprocess_exec(
                *_humble(),
                *(sys.executable, "-m", "evenodds.study.press"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=os.environ | {"EVENODDS_MEMORY_MB": memory},
            )
            try:
                talk = child.communicate(json.dumps(order).encode())
                page, said = await asyncio.wait_for(talk, SECONDS)
            except TimeoutError:
                raise NotSolved(TOO_LONG) from None
            finally:
                if child.returncode is None:
                    child.kill()
                    await child.wait()
        if child.returncode:
            lines = said.decode(errors="replace").strip().splitlines()
            if not lines:
                raise Busy("the study was interrupted; ask again")
            raise NotSolved(lines[-1])
        return page.decode()

    def _tidy(self) -> None:
        """Put away what was not asked for lately."""
        done = [key for key, task in self._pages.items() if task.done()]
        for key in done[: max(0, len(self._pages) - KEPT)]:
            del self._pages[key]

    async def stop(self) -> None:
        """End what is being made."""
        making = [task for task in self._pages.values() if not task.done()]
        for task in making:
            task.cancel()
        await asyncio.gather(*making, return_exceptions=True)


def _humble() -> list[str]:
    """Picks go first: a study runs when the machine has nothing better to do."""
    nice = shutil.which("nice")
    return [nice, "-n", "10"] if nice else []
