"""Solutions on demand within memory and time limits, or one line that says why not."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from evenodds.core.terms import Terms
from evenodds.system import EvenOddsError
from evenodds.system.imports import MissingExtra, needs

if TYPE_CHECKING:
    from evenodds.engine.solution import Solution


class NotSolved(EvenOddsError, LookupError):
    """There is no solution: the ruling is too large, or the solver is not installed."""


class SolveLimitExceeded(NotSolved):
    """Solving would take more memory or time than the limits allow."""


class SolveTimeout(SolveLimitExceeded):
    """Solving took longer than allowed; it may succeed another time."""


def solution_for(terms: Terms, progress: Any = None, memory: int | None = None) -> "Solution":
    """The solution of a game under the terms of a match, from the cache or computed.

    `memory` is a limit in bytes, where that is less than the setting.
    """
    try:
        with needs("solver"):
            from evenodds.core.rule_checks import BadGame, TooLarge
            from evenodds.engine.solve import solve_settled
    except MissingExtra as error:
        raise NotSolved(str(error)) from None
    try:
        found = solve_settled(terms.game, terms.rulings, progress=progress, memory=memory)
        if found.unknown:
            raise BadGame(found.unknown)
        return found
    except TooLarge as error:
        raise SolveLimitExceeded(str(error)) from None
    except (BadGame, MissingExtra) as error:
        raise NotSolved(str(error)) from None


def solution_in_time(
    terms: Terms,
    seconds: float,
    memory: int | None = None,
    progress: Any = None,
    clock: Callable[[], float] = time.monotonic,
) -> "Solution":
    """The same within so many seconds; `SolveTimeout` where computing it takes longer.

    With `time.process_time` as the clock, time of other processes does not count.
    """
    end = clock() + seconds

    def in_time(stage: str, done: int, total: int) -> None:
        if clock() > end:
            raise SolveTimeout(f"solving this ruling takes longer than {seconds:g} seconds")
        if progress is not None:
            progress(stage, done, total)

    return solution_for(terms, in_time, memory)
