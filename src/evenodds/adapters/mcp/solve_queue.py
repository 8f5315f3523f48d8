"""Solve queue of the MCP server: one solve at a time, with timeout and progress."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from anyio import Lock, create_task_group, fail_after, sleep, to_thread

from evenodds.adapters.mcp.tool_matches import ToolRefused
from evenodds.core.terms import Terms
from evenodds.solver import NotSolved, SolveLimitExceeded, solution_in_time

if TYPE_CHECKING:
    from evenodds.solver import Solution

TOOL_SOLVE_TIMEOUT_S: Final = 60.0
"""How long one solve may take; MCP clients hardly wait longer."""
SOLVE_QUEUE_TIMEOUT_S: Final = 60.0
"""How long a caller waits for the solves of others."""
PROGRESS_INTERVAL_S: Final = 0.5
"""Seconds between two progress notifications."""


class ProgressReporter(Protocol):
    """The receiver of progress notifications: the MCP context of a call."""

    async def report_progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Send one notification."""


class SolveLimits(NamedTuple):
    """How long solves and their callers may take, in seconds, and what solves."""

    solve_s: float = TOOL_SOLVE_TIMEOUT_S
    queue_s: float = SOLVE_QUEUE_TIMEOUT_S
    progress_s: float = PROGRESS_INTERVAL_S
    solve: Callable[..., Any] = solution_in_time


class ToolSolveQueue:
    """Runs one solve at a time, since each uses all cores; `_lock` is held for a whole solve."""

    def __init__(self, limits: SolveLimits | None = None) -> None:
        self._lock = Lock()
        self._limits = limits or SolveLimits()

    async def solution(self, terms: Terms, reporter: ProgressReporter) -> "Solution":
        """The solution of a game; `ToolRefused` where others are solved for too long."""
        try:
            with fail_after(self._limits.queue_s):
                await self._lock.acquire()
        except TimeoutError:
            raise ToolRefused("another ruling is being solved; try again in a minute") from None
        try:
            found = await SolveJob(terms, self._limits).solve(reporter)
        finally:
            self._lock.release()
        if isinstance(found, NotSolved):
            raise found
        return found


class SolveJob:
    """One solve in a thread, and its progress; it stops itself once nobody waits for it."""

    def __init__(self, terms: Terms, limits: SolveLimits) -> None:
        self._terms = terms
        self._limits = limits
        self._stage = "preparing"
        self._is_wanted = True

    async def solve(self, reporter: ProgressReporter) -> "Solution | NotSolved":
        """Solve in a thread, and report progress meanwhile."""
        try:
            async with create_task_group() as group:
                group.start_soon(self._report_until_cancelled, reporter)
                found = await to_thread.run_sync(self._run, abandon_on_cancel=True)
                group.cancel_scope.cancel()
        finally:
            # A cancelled call abandons its thread, which cannot be killed: this stops the solve
            # at its next progress report.
            self._is_wanted = False
        return found

    def _run(self) -> "Solution | NotSolved":
        # An error leaves as a value: raised, it would come out of the task group in another.
        try:
            found: Solution = self._limits.solve(
                self._terms, self._limits.solve_s, progress=self._note
            )
        except NotSolved as error:
            return error
        return found

    async def _report_until_cancelled(self, reporter: ProgressReporter) -> None:
        """Send progress notifications with the elapsed time and the stage, until cancelled."""
        began = time.monotonic()
        while True:
            await sleep(self._limits.progress_s)
            elapsed_s = time.monotonic() - began
            await reporter.report_progress(elapsed_s, self._limits.solve_s, self._stage)

    def _note(self, stage: str, done: int, total: int) -> None:
        if not self._is_wanted:
            raise SolveLimitExceeded("nobody waits for it any more")
        self._stage = f"{stage}: {done:,} of {total:,}" if total else f"{stage}: {done:,}"
