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
"""Questions that may be pending; further ones are refused with 503."""
MAX_QUESTIONS_PER_ADDRESS: Final = 3
"""The same for one address."""
SOLVE_MEMORY_BYTES: Final = 128 * 2**20
"""Memory limit of a solve: enough for about 1.25 million positions."""
SOLVE_CPU_LIMIT_S: Final = 60.0
"""Limit of CPU time for custom rulings; CPU time, so that a busy machine refuses no more games."""
PREPARE_RETRY_S: Final = 10.0
"""Delay before a built-in game is solved again after an unexpected error."""
SOLUTION_TIMEOUT_S: Final = 5.0
"""Seconds that a question waits for a solution; the solve goes on, and the client asks again."""
MAX_CACHED_SOLUTIONS: Final = 6
"""Cached solutions of custom rulings; those of default rulings are never evicted."""
INTERNAL_ADDRESS: Final = "the house"
"""The address of the server's own requests, which no limit applies to."""
SOLVE_TOO_LONG_MESSAGE: Final = (
    "solving this ruling takes longer than a server may; "
    "`evenodds solve` on a machine of your own takes its time"
)


class ServerBusy(RuntimeError):
    """Too much is pending already."""


class SolutionPending(RuntimeError):
    """The solution is not computed yet."""


class SolveQueue:
    """Computes solutions in two threads, and answers questions about them in a third.

    In threads, since a solve would block the event loop, which serves the picks.
    """

    def __init__(self) -> None:
        self._solving = FairPool(2, "solving")
        self._reading = FairPool(1, "reading")
        self.ready = False
        """Whether all games are solved with their default rulings."""
        self._waiting: Counter[str] = Counter()
        """Pending questions by address."""
        self._solutions: OrderedDict[tuple[str, Any], asyncio.Future[Solution]] = OrderedDict()
        """Cache of solutions, pending and refused ones included; the most recently used last."""
        self._default_keys: set[Key] = set()
        """The keys with default rulings, which are never evicted."""

    async def prepare(self) -> None:
        """Solve all games with their default rulings, or load their solutions.

        A game that is refused is skipped.
        """
        for game in catalog.list_games():
            try:
                terms = agree(game)
            except Exception as error:  # the game of a plugin may raise anything
                LOG.error("a game is refused", extra={"game": game.name, "why": str(error)})
                continue
            while not self.is_cached(terms):
                try:
                    await self.solution(terms)
                except NotSolved as error:
                    LOG.info("a game is not solved", extra={"game": game.name, "why": str(error)})
                except Exception:  # `_drop_failed` has logged it
                    if not is_built_in(game):  # a plugin may always fail: wait for a request
                        break
                    await asyncio.sleep(PREPARE_RETRY_S)
        self.ready = True

    def is_cached(self, terms: Terms) -> bool:
        """Whether a solution, or its refusal, is there without waiting."""
        solution = self._solutions.get(_key(terms))
        return solution is not None and solution.done()

    async def ask(self, terms: Terms, question: "Callable[[Solution], T]", address: str) -> T:
        """Apply a function to the solution of a game, in a thread.

        `NotSolved` and `ServerBusy` refuse it; after `SolutionPending` the client asks again.
        """
        try:
            solution = await asyncio.wait_for(self.solution(terms, address), SOLUTION_TIMEOUT_S)
        except TimeoutError:
            raise SolutionPending("this is being solved; ask again in a moment") from None
        return await self._submit(self._reading, address, question, solution)

    async def check_solvable(self, terms: Terms, address: str) -> None:
        """`NotSolved` where a game cannot be solved here, if that is known within the timeout."""
        try:
            await asyncio.wait_for(self.solution(terms, address), SOLUTION_TIMEOUT_S)
        except NotSolved:
            raise
        except Exception:  # not known yet
            return

    async def solution(self, terms: Terms, address: str = INTERNAL_ADDRESS) -> "Solution":
        """The solution of a game, without a timeout; `NotSolved` and `ServerBusy` refuse it."""
        key = _key(terms)
        if key not in self._solutions:
            if _has_default_rulings(terms):
                self._default_keys.add(key)
                self._solutions[key] = asyncio.ensure_future(self._solve_default(terms))
            else:
                self._solutions[key] = self._submit(self._solving, address, _solve_terms, terms)
            self._solutions[key].add_done_callback(partial(self._drop_failed, key))
            self._evict()
        self._solutions.move_to_end(key)
        try:  # a caller that gives up must not cancel the solve: others wait for it, too
            return await asyncio.shield(self._solutions[key])
        except NotSolved as error:
            raise NotSolved(str(error)) from None  # the cached error would collect tracebacks

    async def _solve_default(self, terms: Terms) -> "Solution":
        with suppress(OSError):  # no child process can be started: solve in a thread
            await solve_first(terms, SOLVE_MEMORY_BYTES)
        return await self._solving.run(INTERNAL_ADDRESS, _solve_terms, terms)

    def _submit(
        self, pool: FairPool, address: str, work: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        if address != INTERNAL_ADDRESS:
            if self._waiting.total() >= MAX_WAITING_QUESTIONS:
                raise ServerBusy("too many questions are being answered; ask again in a moment")
            if self._waiting[address] >= MAX_QUESTIONS_PER_ADDRESS:
                raise ServerBusy(
                    "too many questions of yours are being answered; ask again in a moment"
                )
        self._waiting[address] += 1
        future = asyncio.ensure_future(pool.run(address, work, *args))
        future.add_done_callback(partial(self._on_done, address))
        return future

    def _on_done(self, address: str, future: "asyncio.Future[Any]") -> None:
        self._waiting -= Counter([address])  # subtraction drops addresses at zero
        if not future.cancelled():
            future.exception()  # marks it as retrieved, or asyncio would log it

    def _drop_failed(self, key: Key, solution: "asyncio.Future[Solution]") -> None:
        """Keep solutions and permanent refusals in the cache, and drop temporary failures."""
        error = None if solution.cancelled() else solution.exception()
        if error is not None and not isinstance(error, NotSolved):
            LOG.error("a game could not be solved", exc_info=error, extra={"game": key[0]})
        elif not solution.cancelled() and not isinstance(error, SolveTimeout):
            return
        self._solutions.pop(key, None)

    def _evict(self) -> None:
        """Evict the finished solutions of custom rulings that were least recently used."""
        custom = [key for key in self._solutions if key not in self._default_keys]
        done = [key for key in custom if self._solutions[key].done()]
        for key in done[: max(0, len(custom) - MAX_CACHED_SOLUTIONS)]:
            del self._solutions[key]

    def close(self) -> None:
        """Cancel what is pending; running threads end by themselves."""
        for solution in self._solutions.values():
            solution.cancel()
        self._solving.close()
        self._reading.close()


def _key(terms: Terms) -> Key:
    return (terms.game.name, terms.rulings)


def _has_default_rulings(terms: Terms) -> bool:
    return bool(terms.rulings == terms.game.rulings())


def _solve_terms(terms: Terms) -> "Solution":
    seconds = inf if _has_default_rulings(terms) else SOLVE_CPU_LIMIT_S
    try:
        return solution_in_time(terms, seconds, SOLVE_MEMORY_BYTES, clock=time.process_time)
    except SolveTimeout:
        raise SolveTimeout(SOLVE_TOO_LONG_MESSAGE) from None
    except SolveLimitExceeded:
        raise NotSolved(SOLVE_TOO_LONG_MESSAGE) from None
