"""Worker processes of the server: each runs one task within limits of memory and time.

Processes, since a solve would delay picks, a memory limit can be set for a process only, and what
compiling takes is never returned to the system before a process ends.
"""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from evenodds.engine.on_demand import NotSolved
from evenodds.server.jobs.job_queue import ServerBusy
from evenodds.server.logs import LOG
from evenodds.system.environment import Device, core_limit
from evenodds.workers.processes import WorkerProcess, worker_environment
from evenodds.workers.task import OUT_OF_MEMORY_REASON, Task, TaskResult

MEMORY_POLL_S: Final = 0.2
"""Seconds between two checks of a worker's memory; twice its limit is an rlimit."""
WAITING_THREADS: Final = ThreadPoolExecutor(16, "workers")
"""Threads that wait for workers: more than the lanes of all queues let run at once."""
CORES: Final = 4
"""Cores that a worker uses at most: each takes memory of its own."""
GPU_MEMORY_MB: Final = 4096
"""Memory that a worker may take beyond its limit for a GPU: a CUDA context takes some 800."""
NICENESS: Final = 10
"""Picks go before jobs."""
SOLVE_TOO_LONG_MESSAGE: Final = (
    "solving this ruling takes longer than a server may; "
    "`evenodds solve` on a machine of your own takes its time"
)
RunInWorker = Callable[..., Awaitable[Any]]
"""As `run_in_worker`."""


class WorkerMemory(NamedTuple):
    """Memory limits of a worker process, in megabytes."""

    solving: int
    """For the transition graph of a solve."""
    total: int
    """Resident memory in all: the compiler alone takes some 300."""


def resident_bytes(process: int) -> int:
    """Resident memory of a process; 0 where the system does not tell."""
    if sys.platform == "linux":
        with suppress(OSError, IndexError):  # it may have just ended
            pages = Path(f"/proc/{process}/statm").read_bytes().split()[1]
            return int(pages) * os.sysconf("SC_PAGE_SIZE")
    return 0


async def run_process(
    task: Task,
    memory: WorkerMemory,
    on_progress: Callable[[str], object],
    device: Device = "cpu",
    measure: Callable[[int], int] = resident_bytes,
) -> TaskResult:
    """The result of a task from a process of its own, which is killed if this is cancelled."""
    environment = worker_environment(min(core_limit(), CORES), memory.solving)
    worker = WorkerProcess(environment | {"EVENODDS_DEVICE": device})
    process = worker.start()
    _limit(process.pid, memory)
    loop = asyncio.get_running_loop()
    running = loop.run_in_executor(WAITING_THREADS, worker.run, task, on_progress)
    try:
        while not (await asyncio.wait([running], timeout=MEMORY_POLL_S))[0]:
            if measure(process.pid) > memory.total << 20:
                return TaskResult(None, OUT_OF_MEMORY_REASON)
    finally:
        process.kill()
        await asyncio.gather(running, asyncio.to_thread(worker.close), return_exceptions=True)
    return running.result() or TaskResult(None, f"its process died: {worker.exit_reason}")


async def run_in_worker(
    task: Task,
    memory: WorkerMemory,
    command: str,
    on_progress: Callable[[str], object],
    device: Device = "cpu",
    *,
    run: Callable[..., Awaitable[TaskResult]] = run_process,
    timeout_s: float = 900.0,
) -> Any:
    """The value of a task; `NotSolved` where that is permanently refused, or else `ServerBusy`.

    `command` is that of the same work on another machine: `solve` or `study`.
    """
    if device == "gpu":
        memory = memory._replace(total=memory.total + GPU_MEMORY_MB)
    try:
        async with asyncio.timeout(timeout_s):
            result = await run(task, memory, on_progress, device)
    except TimeoutError:
        raise ServerBusy(SOLVE_TOO_LONG_MESSAGE) from None
    if result.reason == OUT_OF_MEMORY_REASON:
        raise NotSolved(
            f"this {command} takes more than the {memory.total} MB that a server has for it; "
            f"`evenodds {command}` on a machine of your own takes what it needs"
        )
    if result.permanent:
        raise NotSolved(result.reason)
    if result.reason:  # killed, or a bug: the next request tries again
        LOG.warning("a %s was interrupted: %s", command, result.reason)
        raise ServerBusy(f"the {command} was interrupted; ask again")
    return result.value


def _limit(process: int, memory: WorkerMemory) -> None:
    """Lower the priority of a process, and limit its data, where the system can."""
    if sys.platform != "win32":
        own = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, process, own + NICENESS)
    if sys.platform == "linux":
        from resource import RLIMIT_DATA, prlimit

        _, hard = prlimit(process, RLIMIT_DATA)
        prlimit(process, RLIMIT_DATA, (2 * memory.total << 20, hard))
