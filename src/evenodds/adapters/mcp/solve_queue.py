"""Solve queue of the MCP server: one solve at a time, with timeout and progress."""

import time
from typing import TYPE_CHECKING, Any, Final, Protocol

from anyio import Lock, create_task_group, fail_after, sleep, to_thread

from evenodds.adapters.mcp.matches import ToolRefused
from evenodds.core.terms import Terms
from evenodds.solver import NotSolved, SolveLimitExceeded, solution_in_time

if TYPE_CHECKING:
    from evenodds.solver import Solution

TOOL_SOLVE_TIMEOUT_S: Final = 60.0
"""How long one ruling may take; those who use tools hardly wait longer."""
SOLVE_QUEUE_TIMEOUT_S: Final = 60.0
"""How long somebody waits for the rulings of others."""
PROGRESS_INTERVAL_S: Final = 0.5
"""Seconds between two words on how far it is."""


class ProgressReporter(Protocol):
    """Whoever is told how far it is."""

    async def report_progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Tell how much is done, of how much, and of what."""


class SolveJob:
    """One solve in a thread, and how far it is; it ends when nobody wants it any more."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._stage = "preparing"
        self.wanted = True

    def run(self) -> "Solution":
        """Solve; `NotSolved` says why not."""
        return solution_in_time(self._terms, TOOL_SOLVE_TIMEOUT_S, progress=self._note)

    async def tell(self, teller: ProgressReporter) -> None:
        """Tell every now and then how long it has been, and what is being done."""
        began = time.monotonic()
        while True:
            await sleep(PROGRESS_INTERVAL_S)
            await teller.report_progress(
                time.monotonic() - began, TOOL_SOLVE_TIMEOUT_S, self._stage
            )

    def _note(self, stage: str, done: int, total: int) -> None:
        if not self.wanted:
            raise SolveLimitExceeded("nobody waits for it any more")
        self._stage = f"{stage}: {done:,} of {total:,}" if total else f"{stage}: {done:,}"


class ToolSolveQueue:
    """Solves for one after another: each solve takes all cores."""

    def __init__(self) -> None:
        self._lock = Lock()

    async def solution(self, terms: Terms, teller: ProgressReporter) -> "Solution":
        """The solution of a game; `ToolRefused` where there is none, or others come first."""
        try:
            with fail_after(SOLVE_QUEUE_TIMEOUT_S):
                await self._lock.acquire()
        except TimeoutError:
            raise ToolRefused("another ruling is being solved; try again in a minute") from None
        try:
            return await self._solve(SolveJob(terms), teller)
        finally:
            self._lock.release()

    async def _solve(self, work: SolveJob, teller: ProgressReporter) -> "Solution":
        found: list[Any] = []
        try:
            async with create_task_group() as group:
                group.start_soon(work.tell, teller)
                found.append(await to_thread.run_sync(_run_job, work, abandon_on_cancel=True))
                group.cancel_scope.cancel()
        finally:
            work.wanted = False
        if isinstance(found[0], NotSolved):
            raise found[0]
        solution: Solution = found[0]
        return solution


def _run_job(work: SolveJob) -> "Solution | NotSolved":
    try:
        return work.run()
    except NotSolved as error:
        return error
