"""The desk: heavy questions, answered one after another in threads, within limits."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from evenodds.exact import NotSolved, OutOfReach, solution_in_time
from evenodds.terms import Terms

if TYPE_CHECKING:
    from evenodds.solver import Solution

T = TypeVar("T")
QUEUE: Final = 8
"""Questions that may wait; whoever comes then is asked to come again."""
SHARE: Final = 3
"""Of these, from one address."""
MEMORY: Final = 128 * 2**20
"""Bytes that making a solution may take: about a million positions and a quarter."""
SECONDS: Final = 30.0
"""How long making a solution may take."""
PATIENCE: Final = 5.0
"""Seconds that whoever asks is kept waiting; the work goes on, and they ask again."""
KEPT: Final = 6
"""Solutions that lie open."""
HOUSE: Final = "the house"
"""Who asks for the computers at the tables; no address."""
TOO_LONG: Final = (
    "solving this ruling takes longer than a server may; "
    "`evenodds solve` on a machine of your own takes its time"
)


class Busy(RuntimeError):
    """Too many questions wait already."""


class NotYet(RuntimeError):
    """The solution is being made."""


class Desk:
    """One thread makes solutions, another reads in them; neither keeps a pick waiting."""

    def __init__(self) -> None:
        self._solving = ThreadPoolExecutor(1, "solving")
        self._reading = ThreadPoolExecutor(1, "reading")
        self._waiting: Counter[str] = Counter()
        """How many questions from each address are being answered, or wait."""
        self._open: OrderedDict[tuple[str, Any], asyncio.Future[Solution]] = OrderedDict()
        """Solutions that are made or being made, and those that could not be; the latest last."""

    async def ask(self, terms: Terms, question: "Callable[[Solution], T]", address: str) -> T:
        """What a question from an address finds in the solution of a game.

        `NotSolved` and `Busy` refuse it; `NotYet` asks for patience.
        """
        try:
            solution = await asyncio.wait_for(self.solution(terms, address), PATIENCE)
        except TimeoutError:
            raise NotYet("this is being solved; ask again in a moment") from None
        return await self._begin(self._reading, address, question, solution)

    async def known(self, terms: Terms, address: str) -> None:
        """`NotSolved` for a game that cannot be solved here, if that is found out in time."""
        with suppress(Busy, TimeoutError):
            await asyncio.wait_for(self.solution(terms, address), PATIENCE)

    async def solution(self, terms: Terms, address: str = HOUSE) -> "Solution":
        """The solution of a game, however long it takes; `NotSolved` and `Busy` refuse it."""
        key = (terms.game.name, terms.rulings)
        if key not in self._open:
            self._open[key] = self._begin(self._solving, address, _solution, terms)
            self._tidy()
        self._open.move_to_end(key)
        try:
            return await asyncio.shield(self._open[key])
        except NotSolved as error:
            raise NotSolved(str(error)) from None  # the kept one does not gather traces

    def _begin(
        self, pool: ThreadPoolExecutor, address: str, work: Callable[..., T], *given: Any
    ) -> asyncio.Future[T]:
        if self._waiting.total() >= QUEUE:
            raise Busy("too many questions are being answered; ask again in a moment")
        if address != HOUSE and self._waiting[address] >= SHARE:
            raise Busy("too many questions of yours are being answered; ask again in a moment")
        self._waiting[address] += 1
        begun = asyncio.get_running_loop().run_in_executor(pool, work, *given)
        begun.add_done_callback(partial(self._done, address))
        return begun

    def _done(self, address: str, ended: "asyncio.Future[Any]") -> None:
        self._waiting -= Counter([address])  # and an address without a question is forgotten
        if not ended.cancelled():
            ended.exception()  # somebody has looked, even if whoever asked is gone

    def _tidy(self) -> None:
        """Put away what was not asked for lately."""
        done = [key for key, found in self._open.items() if found.done()]
        for key in done[: max(0, len(self._open) - KEPT)]:
            del self._open[key]

    def close(self) -> None:
        """Let what has begun end by itself, and begin nothing more."""
        self._solving.shutdown(wait=False, cancel_futures=True)
        self._reading.shutdown(wait=False, cancel_futures=True)


def _solution(terms: Terms) -> "Solution":
    try:
        return solution_in_time(terms, SECONDS, MEMORY)
    except OutOfReach:
        raise NotSolved(TOO_LONG) from None
