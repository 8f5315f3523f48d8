"""Solve queue of the MCP server: one solve at a time, with timeout and progress."""

import time
from collections.abc import Callable
from typing import Any

from anyio import Lock, create_task_group, fail_after, sleep, to_thread
from mcp.server.mcpserver import Context

from evenodds.adapters.mcp.tool_matches import ToolRefused
from evenodds.core.terms import Terms
from evenodds.engine.on_demand import NotSolved, SolveLimitExceeded, solution_in_time
from evenodds.engine.solution import Solution
from evenodds.workers.task import progress_text


class ToolSolveQueue:
    """Runs one solve at a time, since each uses all cores; `_lock` is held for a whole solve.

    The limits are in seconds: one solve may take `solve_s`, as MCP clients hardly wait longer, and
    a caller waits `queue_s` for the solves of others. Progress is told every `progress_s`.
    """

    def __init__(
        self,
        solve_s: float = 60.0,
        queue_s: float = 60.0,
        progress_s: float = 0.5,
        solve: Callable[..., Any] = solution_in_time,
    ) -> None:
        self._lock = Lock()
        self._solve_s, self._queue_s, self._progress_s = solve_s, queue_s, progress_s
        self._solve = solve

    async def solution(self, terms: Terms, caller: Context[Any, Any]) -> Solution:
        """The solution of a game; `ToolRefused` where others are solved for too long.

        It is solved in a thread, and meanwhile the caller is told elapsed time and stage.
        """
        try:
            with fail_after(self._queue_s):
                await self._lock.acquire()
        except TimeoutError:
            raise ToolRefused("another ruling is being solved; try again in a minute") from None
        said, is_wanted, began = "preparing", True, time.monotonic()

        def note(stage: str, done: int, total: int) -> None:
            nonlocal said
            if not is_wanted:
                raise SolveLimitExceeded("nobody waits for it any more")
            said = progress_text(stage, done, total)

        def solve() -> Any:
            # An error leaves as a value: raised, it would come out of the task group in another.
            try:
                return self._solve(terms, self._solve_s, progress=note)
            except NotSolved as error:
                return error

        async def report() -> None:
            while True:
                await sleep(self._progress_s)
                await caller.report_progress(time.monotonic() - began, self._solve_s, said)

        try:
            async with create_task_group() as group:
                group.start_soon(report)
                found: Solution | NotSolved = await to_thread.run_sync(
                    solve, abandon_on_cancel=True
                )
                group.cancel_scope.cancel()
        finally:
            # A cancelled call abandons its thread, which cannot be killed: this stops the solve
            # at its next progress report.
            is_wanted = False
            self._lock.release()
        if isinstance(found, NotSolved):
            raise found
        return found
