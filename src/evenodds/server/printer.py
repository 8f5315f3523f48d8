"""The printer of studies: each page made by a child process, in lanes, and kept.

What can be printed from what is known goes first, in a lane of its own; what must be solved for it
waits in another. The games as their books have them have lanes to themselves, and never wait for a
stranger's rulings.
"""

import asyncio
import json
import os
import shutil
import sys
from collections import OrderedDict
from typing import Final, NamedTuple

from evenodds.exact import NotSolved
from evenodds.server.desk import TOO_LONG, Busy
from evenodds.study.orders import NOT_KEPT, Order

WAITING: Final = 4
"""Rulings of strangers that may wait to be solved; whoever comes then is asked to come again."""
ASKED: Final = 20
"""Pages that may be asked for and not yet looked at."""
KEPT: Final = 40
"""Pages that are kept."""
SECONDS: Final = 900.0
"""How long making a page may take."""
PATIENCE: Final = 2.0
"""Seconds that whoever asks is kept waiting; the work goes on, and they ask again."""

Key = tuple[str, tuple[tuple[str, str], ...]]


class Lane:
    """Work that is done one after another, with so much memory for each."""

    def __init__(self, megabytes: int) -> None:
        self.megabytes = str(megabytes)
        self.turn = asyncio.Lock()
        self.waiting = 0


class Lanes(NamedTuple):
    """Where it is looked whether all is known for a page, and where the rest is solved."""

    known: Lane
    solved: Lane


class Printout(NamedTuple):
    """What a child has made: its exit code, the page, and what it said."""

    code: int
    page: str
    said: str


class Printer:
    """Pages that are made or being made, and those that could not be; the latest last."""

    def __init__(self) -> None:
        self._pages: OrderedDict[Key, asyncio.Task[str]] = OrderedDict()
        self._house = Lanes(Lane(1024), Lane(1024))
        self._guests = Lanes(Lane(64), Lane(64))

    async def page(self, home: str, game: str, rules: dict[str, str]) -> str | None:
        """A page; None while it is being made. `NotSolved` and `Busy` refuse it."""
        key = (game, tuple(sorted(rules.items())))
        if key not in self._pages:
            if rules and self._guests.known.waiting >= ASKED:
                raise _busy()
            self._pages[key] = asyncio.create_task(self._make(Order(home, game, rules)))
            self._tidy()
        self._pages.move_to_end(key)
        task = self._pages[key]
        await asyncio.wait([task], timeout=PATIENCE)
        if not task.done():
            return None
        if isinstance(task.exception(), Busy):  # it was interrupted, and may be asked for again
            self._pages.pop(key, None)
        return task.result()

    async def _make(self, order: Order) -> str:
        """Print from what is known, or else solve what it takes."""
        lanes = self._guests if order.rules else self._house
        made = await _in_lane(lanes.known, order._replace(kept=True))
        if made.code == NOT_KEPT:
            if order.rules and lanes.solved.waiting >= WAITING:
                raise _busy()
            made = await _in_lane(lanes.solved, order)
        if made.code:
            if not made.said:
                raise Busy("the study was interrupted; ask again")
            raise NotSolved(made.said)
        return made.page

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


def _busy() -> Busy:
    return Busy("too many studies are being made; ask again in a moment")


async def _in_lane(lane: Lane, order: Order) -> Printout:
    """What a child makes of an order when its turn has come."""
    lane.waiting += 1
    try:
        async with lane.turn:
            return await _child(order, lane.megabytes)
    finally:
        lane.waiting -= 1


async def _child(order: Order, megabytes: str) -> Printout:
    child = await asyncio.create_subprocess_exec(
        *_humble(),
        *(sys.executable, "-m", "evenodds.study.press"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=os.environ | {"EVENODDS_MEMORY_MB": megabytes},
    )
    try:
        talk = child.communicate(json.dumps(order._asdict()).encode())
        page, said = await asyncio.wait_for(talk, SECONDS)
    except TimeoutError:
        raise NotSolved(TOO_LONG) from None
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    lines = said.decode(errors="replace").strip().splitlines()
    return Printout(child.returncode or 0, page.decode(), lines[-1] if lines else "")


def _humble() -> list[str]:
    """Picks go first: a study runs when the machine has nothing better to do."""
    nice = shutil.which("nice")
    return [nice, "-n", "10"] if nice else []
