"""Thread pool over all cores; cancelled work ends soon, compilation included."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import Final, TypeVar

from evenodds.kernels.compiler.reporting import report_compilation
from evenodds.kernels.compiler.small_games import are_small_games_compiled
from evenodds.system.environment import core_limit
from evenodds.system.progress import Progress, silent

R = TypeVar("R")
CHUNK_POSITIONS: Final = 5_000
"""Positions per task: few enough that an interruption takes effect soon."""
MIN_PARALLEL_ITEMS: Final = 500
MIN_LISTED_ITEMS: Final = 4_000


class WorkerThreads:
    """A thread for each core, and the flag that stops them.

    Threads are enough: kernels release the GIL.
    """

    def __init__(self) -> None:
        self.size = core_limit()
        self.pool = ThreadPoolExecutor(self.size)
        self.stopped = False

    def map(self, work: Callable[..., R], pieces: Sequence[object]) -> Iterable[R]:
        """The results of all pieces of work in order, as they come."""
        if len(pieces) == 1 and are_small_games_compiled():
            return map(work, pieces)  # for a thousand small rulings, threads would take longer
        return self.pool.map(work, pieces)


@contextmanager
def worker_threads(progress: Progress = silent) -> Iterator[WorkerThreads]:
    """A thread pool; when the block is left by an error, queued tasks are cancelled."""
    threads = WorkerThreads()
    with report_compilation(progress, lambda: threads.stopped):
        try:
            yield threads
        finally:
            threads.stopped = True
            threads.pool.shutdown(wait=True, cancel_futures=True)


def split_range(
    count: int, max_size: int = CHUNK_POSITIONS, min_parallel: int = MIN_PARALLEL_ITEMS
) -> list[tuple[int, int]]:
    """A range cut into pieces of about the same size, at least one for each core.

    One piece below `min_parallel`: `MIN_LISTED_ITEMS` where an item takes a microsecond.
    """
    pieces = 1 if count < min_parallel else max(core_limit(), -(-count // max_size))
    cuts = [count * piece // pieces for piece in range(pieces + 1)]
    return list(pairwise(cuts))
