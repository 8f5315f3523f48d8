"""Queue of solves: solutions computed in a thread pool within limits, and cached."""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Final, TypeVar

from evenodds.core import catalog
from evenodds.core.terms import Terms, agree
from evenodds.core.validation import is_built_in
from evenodds.server.jobs.fair_queue import FairPool
from evenodds.server.jobs.first_solve import solve_first
from evenodds.server.logs import LOG
from evenodds.solver import NotSolved, SolveLimitExceeded, SolveTimeout, solution_in_time

if TYPE_CHECKING:
    from evenodds.solver import Solution

T = TypeVar("T")
Key = tuple[str, Any]
"""A game and its rulings."""
MAX_WAITING_QUESTIONS: Final = 8
"""Questions that may wait; whoever comes then is asked to come again."""
MAX_QUESTIONS_PER_ADDRESS: Final = 3
"""Of these, from one address."""
SOLVE_MEMORY_BYTES: Final = 128 * 2**20
"""Bytes that making a solution may take: about a million positions and a quarter."""
SOLVE_CPU_LIMIT_S: Final = 60.0
"""Seconds of processor time that making a solution may take; a busy machine only makes it later."""
RETRY_S: Final = 10.0
"""Seconds after which a game of the house is tried again that could not be solved for now."""
SOLUTION_TIMEOUT_S: Final = 5.0
"""Seconds that whoever asks is kept waiting; the work goes on, and they ask again."""
MAX_CACHED_SOLUTIONS: Final = 6
"""Solutions of strangers' rulings that lie open; those of the games as they are stay."""
INTERNAL_ADDRESS: Final = "the house"
"""Who asks for the games as their books have them; no address."""
TOO_LONG: Final = (
    "solving this ruling takes longer than a server may; "
    "`evenodds solve` on a machine of your own takes its time"
)


class ServerBusy(RuntimeError):
    """Too many questions wait already."""


class SolutionPending(RuntimeError):
    """The solution is being made."""


class SolveQueue:
    """Threads make solutions, and another reads in them; none of them keeps a pick waiting."""

    def __init__(self) -> None:
        self._solving = FairPool(2, "solving")
        self._reading = FairPool(1, "reading")
        self.ready = False
        """Whether the games as their books have them are solved."""
        self._waiting: Counter[str] = Counter()
        """How many questions from each address are being answered, or wait."""
        self._open: OrderedDict[tuple[str, Any], asyncio.Future[Solution]] = OrderedDict()
        """Solutions that are made or being made, and those that cannot be; the latest last."""
        self._usual: set[Key] = set()
        """Which of these are of games as their books have them, and stay."""

    async def prepare(self) -> None:
        """Open or make the solutions of all games as their books have them.

        A game that is refused is left out: the others do not wait for it.
        """
        for game in catalog.list_games().games:
            try:
                terms = agree(game)
            except Exception as error:  # a package may raise anything
                LOG.error("a game is refused", extra={"game": game.name, "why": str(error)})
                continue
            while not self.is_open(terms):
                try:
                    await self.solution(terms)
                except NotSolved as error:
                    LOG.info("a game is not solved", extra={"game": game.name, "why": str(error)})
                except Exception:  # it is logged already
                    if not is_built_in(
                        game
                    ):  # it may fail for ever, and is tried when it is asked for
                        break
                    await asyncio.sleep(RETRY_S)
        self.ready = True

    def is_open(self, terms: Terms) -> bool:
        """Whether the solution of a game lies open, so that nobody waits for it."""
        found = self._open.get(_key(terms))
        return found is not None and found.done()

    async def ask(self, terms: Terms, question: "Callable[[Solution], T]", address: str) -> T:
        """What a question from an address finds in the solution of a game.

        `NotSolved` and `ServerBusy` refuse it; `SolutionPending` asks for patience.
        """
        try:
            solution = await asyncio.wait_for(self.solution(terms, address), SOLUTION_TIMEOUT_S)
        except TimeoutError:
            raise SolutionPending("this is being solved; ask again in a moment") from None
        return await self._begin(self._reading, address, question, solution)

    async def known(self, terms: Terms, address: str) -> None:
        """`NotSolved` for a game that cannot be solved here, if that is found out in time."""
        try:
            await asyncio.wait_for(self.solution(terms, address), SOLUTION_TIMEOUT_S)
        except NotSolved:
            raise
        except Exception:  # it is not known, and may be later
            return

    async def solution(self, terms: Terms, address: str = INTERNAL_ADDRESS) -> "Solution":
        """The solution of a game, however long it takes; `NotSolved` and `ServerBusy` refuse it."""
        key = _key(terms)
        if key not in self._open:
            if _is_usual(terms):
                self._usual.add(key)
                self._open[key] = asyncio.ensure_future(self._solve_usual(terms))
            else:
                self._open[key] = self._begin(self._solving, address, _solve_terms, terms)
            self._open[key].add_done_callback(partial(self._settle, key))
            self._tidy()
        self._open.move_to_end(key)
        try:
            return await asyncio.shield(self._open[key])
        except NotSolved as error:
            raise NotSolved(str(error)) from None  # the kept one does not gather traces

    async def _solve_usual(self, terms: Terms) -> "Solution":
        with suppress(OSError):  # then it is solved here
            await solve_first(terms, SOLVE_MEMORY_BYTES)
        return await self._solving.run(INTERNAL_ADDRESS, _solve_terms, terms)

    def _begin(
        self, pool: FairPool, address: str, work: Callable[..., T], *given: Any
    ) -> asyncio.Future[T]:
        if address != INTERNAL_ADDRESS:
            if self._waiting.total() >= MAX_WAITING_QUESTIONS:
                raise ServerBusy("too many questions are being answered; ask again in a moment")
            if self._waiting[address] >= MAX_QUESTIONS_PER_ADDRESS:
                raise ServerBusy(
                    "too many questions of yours are being answered; ask again in a moment"
                )
        self._waiting[address] += 1
        begun = asyncio.ensure_future(pool.run(address, work, *given))
        begun.add_done_callback(partial(self._done, address))
        return begun

    def _done(self, address: str, ended: "asyncio.Future[Any]") -> None:
        self._waiting -= Counter([address])  # and an address without a question is forgotten
        if not ended.cancelled():
            ended.exception()  # somebody has looked, even if whoever asked is gone

    def _settle(self, key: Key, found: "asyncio.Future[Solution]") -> None:
        """Keep what was found, or that it cannot be; not that it could not be for now."""
        error = None if found.cancelled() else found.exception()
        if error is not None and not isinstance(error, NotSolved):
            LOG.error("a game could not be solved", exc_info=error, extra={"game": key[0]})
        elif not found.cancelled() and not isinstance(error, SolveTimeout):
            return
        self._open.pop(key, None)

    def _tidy(self) -> None:
        """Put away what was not asked for lately."""
        strange = [key for key in self._open if key not in self._usual]
        done = [key for key in strange if self._open[key].done()]
        for key in done[: max(0, len(strange) - MAX_CACHED_SOLUTIONS)]:
            del self._open[key]

    def close(self) -> None:
        """Let threads that have begun end by themselves, and begin nothing more."""
        for found in self._open.values():
            found.cancel()
        self._solving.close()
        self._reading.close()


def _key(terms: Terms) -> Key:
    return (terms.game.name, terms.rulings)


def _is_usual(terms: Terms) -> bool:
    """Whether a game is played as its book has it."""
    return bool(terms.rulings == terms.game.rulings())


def _solve_terms(terms: Terms) -> "Solution":
    seconds = inf if _is_usual(terms) else SOLVE_CPU_LIMIT_S
    try:
        return solution_in_time(terms, seconds, SOLVE_MEMORY_BYTES, clock=time.process_time)
    except SolveTimeout:
        raise SolveTimeout(TOO_LONG) from None
    except SolveLimitExceeded:
        raise NotSolved(TOO_LONG) from None
