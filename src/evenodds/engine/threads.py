"""Thread pool over all cores; cancelled work ends soon."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from itertools import chain, pairwise
from typing import Final, TypeVar

from evenodds.system.environment import core_limit

R = TypeVar("R")
CHUNK_POSITIONS: Final = 5_000
"""Positions per task: few enough that an interruption takes effect soon."""
MIN_PARALLEL_ITEMS: Final = 500
FIRST_PIECE_DIVISOR: Final = 32
MIN_LISTED_ITEMS: Final = 4_000


class WorkerThreads(AbstractContextManager["WorkerThreads"]):
    """A thread for each core, and the flag that stops them; what is queued at the end is cancelled.

    Threads are enough: kernels release the GIL.
    """

    def __init__(self) -> None:
        self.size = core_limit()
        self.pool = ThreadPoolExecutor(self.size)
        self.stopped = False
        self._begun: set[object] = set()

    def map(self, work: Callable[..., R], pieces: Sequence[object]) -> Iterable[R]:
        """The results of all pieces of work in order, as they come.

        The first piece of each kind is done here: what it compiles, Ctrl-C can interrupt.
        """
        if len(pieces) == 1:
            return map(work, pieces)
        kind = getattr(work, "__code__", work)
        if kind in self._begun:
            return self.pool.map(work, pieces)
        self._begun.add(kind)
        return chain([work(pieces[0])], self.pool.map(work, pieces[1:]))

    def __exit__(self, *_: object) -> None:
        self.stopped = True
        self.pool.shutdown(wait=True, cancel_futures=True)


def split_range(
    count: int, max_size: int = CHUNK_POSITIONS, min_parallel: int = MIN_PARALLEL_ITEMS
) -> list[tuple[int, int]]:
    """A range cut into pieces of about the same size, at least one for each core.

    One piece below `min_parallel`: `MIN_LISTED_ITEMS` where an item takes a microsecond. Otherwise
    a small piece comes first, which is done alone (`WorkerThreads.map`).
    """
    pieces = 1 if count < min_parallel else max(core_limit(), -(-count // max_size))
    cuts = [count * piece // pieces for piece in range(pieces + 1)]
    if pieces > 1:
        cuts.insert(1, cuts[1] // FIRST_PIECE_DIVISOR)
    return list(pairwise(cuts))
