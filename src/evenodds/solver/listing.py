"""Every reachable open position of a game, listed layer by layer on all cores."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evenodds.catalog import AnyGame
from evenodds.solver.layout import BITS, Layout, fields_of, packing, sampled
from evenodds.vocabulary import PASS, Outcome, numbers

if TYPE_CHECKING:
    from evenodds.solver.compile import Loops

Keys = NDArray[np.int64]
CORES: Final = os.cpu_count() or 1
CHUNK: Final = 20_000
"""Positions that a thread takes at once; small enough that an interruption is felt soon."""
SMALL: Final = 500
DEEPEST: Final = 10_000
"""No game without loops is longer than this."""


class TooLarge(ValueError):
    """A ruling with more positions than the memory limit allows."""


class BadGame(ValueError):
    """A game that cannot be solved as it declares itself, and why."""


class Listing(NamedTuple):
    """The keys of all open positions in layers, and how states are packed into them."""

    layout: Layout
    layers: list[Keys]


Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it, and of how much (0 where that is not known)."""


def pieces_of(count: int) -> list[tuple[int, int]]:
    """Work cut into pieces that threads take in turn."""
    pieces = 1 if count < SMALL else max(CORES, -(-count // CHUNK))
    cuts = [count * piece // pieces for piece in range(pieces + 1)]
    return list(pairwise(cuts))


@contextmanager
def workers() -> Iterator[ThreadPoolExecutor]:
    """A thread for each core; when the work is interrupted, what has not begun never does."""
    pool = ThreadPoolExecutor(CORES)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class Lister:
    """Lists the positions of one game with one ruling."""

    def __init__(
        self, game: AnyGame, rulings: Any, loops: "Loops", most: int, progress: Progress
    ) -> None:
        self.game = game
        self.rulings = rulings
        self.loops = loops
        self.most = most
        self.progress = progress
        self.layout = sampled(game, rulings)
        self.packing = packing(game.start(rulings))

    def run(self) -> Listing:
        """The listing; the layout is widened and the work begun anew while a position misfits."""
        while True:
            if self.layout.bits > BITS:
                raise BadGame(f"a position of {self.game.name} does not fit into {BITS} bits")
            misfit = self._list()
            if misfit is None:
                return Listing(self.layout, self.layers)
            self._widen(misfit)

    def _list(self) -> int | None:
        """List layer after layer; the key of a position with a child that does not fit, if any."""
        start = self.packing.pack(self.game.start(self.rulings), self.layout)
        self.layers = [np.array([start], np.int64)]
        self.listed = 1
        seen = _table(1 << 16) if not self.game.simultaneous else None
        if seen is not None:
            self.loops.admit(seen, self.layers[0], self.layers[0].copy())
        with workers() as pool:
            while self.layers[-1].size:
                found, misfit = self._children(pool)
                if misfit is not None:
                    return misfit
                if seen is not None:
                    seen = _roomy(self.loops, seen, self.listed + found.size)
                    fresh = np.empty_like(found)
                    found = fresh[: self.loops.admit(seen, found, fresh)]
                self.layers.append(found)
                self._mind_the_limit()
        return None

    def _children(self, pool: ThreadPoolExecutor) -> tuple[Keys, int | None]:
        """The positions one pick further on, each once."""
        layer = self.layers[-1]
        parts: list[Keys] = []
        jobs = pool.map(lambda piece: self._expand(layer, *piece), pieces_of(layer.size))
        for found, misfit in jobs:
            if misfit is not None:
                return layer[:0], misfit
            parts += found
        return np.unique(np.concatenate(parts)), None

    def _expand(self, layer: Keys, begin: int, end: int) -> tuple[list[Keys], int | None]:
        """The children of a piece of a layer, in sets as large as they need to be."""
        size = 1 << max(12, (4 * (end - begin)).bit_length())
        parts: list[Keys] = []
        while begin < end:
            table = _table(size)
            begin, _, misfits = self.loops.expand(
                self.rulings, self.layout, layer, begin, end, table, size // 2
            )
            if misfits:
                return [], int(layer[begin])
            parts.append(table[table >= 0])
        return parts, None

    def _mind_the_limit(self) -> None:
        """Refuse what will not fit into memory as soon as the layers show it."""
        self.listed += self.layers[-1].size
        self.progress("listing", self.listed, 0)
        if self.listed > self.most:
            last, before = self.layers[-1].size, max(1, self.layers[-2].size)
            growing = last * last // before if last > before else last
            raise TooLarge(
                f"{self.listed:,} positions after {len(self.layers) - 1} rounds, and at least "
                f"{self.listed + growing:,} to come; the memory limit allows {self.most:,}"
            )
        if len(self.layers) > DEEPEST:
            raise BadGame(f"{self.game.name} comes back to its positions; it must say loops=True")

    def _widen(self, key: int) -> None:
        state = self.packing.unpack(key, self.rulings, self.layout)
        for first in numbers(self.game.legal(state, 0)) or (PASS,):
            for second in numbers(self.game.legal(state, 1)) or (PASS,):
                child = self.game.step(state, (first, second))
                if self.game.outcome(child) == Outcome.ONGOING:
                    self.layout = self.layout.widened(fields_of(child))
                    if self.game.mirror is not None:
                        self.layout = self.layout.widened(fields_of(self.game.mirror(child)))


def _table(size: int) -> Keys:
    return np.full(size, -1, np.int64)


def _roomy(loops: "Loops", table: Keys, count: int) -> Keys:
    """The set itself, or a larger one with the same keys, so that `count` keys fit well."""
    if 2 * count <= table.size:
        return table
    larger = _table(1 << (2 * count).bit_length())
    kept = table[table >= 0]
    loops.admit(larger, kept, np.empty_like(kept))
    return larger
