"""Every reachable open position of a game, listed layer by layer on all cores."""

import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evenodds.core.catalog import AnyGame
from evenodds.core.validation import BadGame, describe_position
from evenodds.core.vocabulary import FIRST, SECOND, Outcome
from evenodds.kernels.keys import KEY_BITS, Layout, fields_of, packing, sampled
from evenodds.kernels.solve import EMPTY
from evenodds.kernels.threads import (
    CHUNK_POSITIONS,
    Progress,
    WorkerThreads,
    split_range,
    worker_threads,
)
from evenodds.system.environment import megabytes

if TYPE_CHECKING:
    from evenodds.kernels.compile import GameKernels

Keys = NDArray[np.int64]
BYTES_PER_POSITION: Final = 104
"""What a stored position may take at the peak; where mirror images share one, half as much each."""
MAX_PICKS: Final = 63
"""The most numbers a seat can choose from: the bits of a set of moves."""
MIN_KEY_SET_SLOTS: Final = 1 << 14
"""Places of the smallest set: three quarters full it still takes all children of a position."""
MIN_PROJECTED_LAYER_SIZE: Final = 200_000
"""A layer of this size tells how large the others will be."""
MAX_GROWTH_RATIO: Final = 0.8
MAX_LAYERS: Final = 10_000
"""No game without loops is longer than this."""


class TooLarge(ValueError):
    """A ruling with more positions than the memory limit allows."""


class PositionLayers(NamedTuple):
    """The keys of all open positions in layers, and how states are packed into them."""

    layout: Layout
    layers: list[Keys]


def memory_limit() -> int:
    """Bytes that a solve may take: EVENODDS_MEMORY_MB, or half of what the machine has."""
    return megabytes("EVENODDS_MEMORY_MB", _half_of_memory())


def _half_of_memory() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, ValueError, OSError):  # not every system tells
        return 2 << 30


def refuse_unsolvable(game: AnyGame) -> None:
    """Refuse what nobody has needed yet."""
    if game.simultaneous and game.loops:
        raise BadGame(f"{game.name} has simultaneous rounds and loops, which is not solved yet")


def check_width(game: AnyGame, layout: Layout, state: Any) -> None:
    """Refuse a game whose positions no key holds, with one of the widest."""
    if layout.bits > KEY_BITS:
        raise BadGame(
            f"a position of {game.name} does not fit into {KEY_BITS} bits: "
            f"{describe_position(state)}"
        )


class Lister:
    """Lists the positions of one game with one ruling."""

    def __init__(
        self, game: AnyGame, rulings: Any, loops: "GameKernels", most: int, progress: Progress
    ) -> None:
        self.game = game
        self.rulings = rulings
        self.loops = loops
        self.most = most
        self.progress = progress
        self.layout = sampled(game, rulings)
        self.packing = packing(game.start(rulings))

    def run(self) -> PositionLayers:
        """The listing; the layout is widened and the work begun anew while a position misfits."""
        self._mind_the_bound()
        widest = self.game.start(self.rulings)
        while True:
            check_width(self.game, self.layout, widest)
            misfit = self._list()
            if misfit is None:
                return PositionLayers(self.layout, self.layers)
            widest = self._widen(misfit)

    def _list(self) -> int | None:
        """List layer after layer; the key of a position with a child that does not fit, if any."""
        start = self.packing.pack(self.game.start(self.rulings), self.layout)
        self.layers = [np.array([start], np.int64)]
        self.listed = 1
        seen = empty_key_set(1 << 16) if not self.game.simultaneous else None
        if seen is not None:
            self.loops.admit(seen, self.layers[0], self.layers[0].copy())
        with worker_threads(self.progress) as at_work:
            while self.layers[-1].size:
                found, misfit = self._children(at_work)
                if misfit is not None:
                    return misfit
                if seen is not None:
                    seen = _roomy(self.loops, seen, self.listed + found.size)
                    found = found[: self.loops.admit(seen, found, found)].copy()
                self.layers.append(found)
                self.listed += found.size
                self._tell()
                self._mind_the_limit()
        return None

    def _tell(self) -> None:
        """How many are listed, and of how many where the growth of layers tells."""
        listed = self.listed * self._times
        bound = self.game.bound(self.rulings) if self.game.bound else 0
        sizes = [layer.size for layer in self.layers if layer.size]
        expected = _projected(sizes) * self._times or bound
        self.progress("listing positions", listed, max(expected, listed) if expected else 0)

    def _children(self, worker_threads: WorkerThreads) -> tuple[Keys, int | None]:
        """The positions one pick further on, each once and in order."""
        layer = self.layers[-1]
        shares = split_range(layer.size, layer.size)
        tables: list[Keys] = []
        for table, misfit in worker_threads.pool.map(
            lambda share: self._expand(worker_threads, layer, *share), shares
        ):
            if misfit is not None:
                return layer[:0], misfit
            tables.append(table)
        merged = tables[0]
        for table in tables[1:]:
            merged = _roomy(self.loops, merged, int((merged >= 0).sum() + (table >= 0).sum()))
            self.loops.admit(merged, table, table)
        return np.sort(merged[merged >= 0]), None

    def _expand(
        self, worker_threads: WorkerThreads, layer: Keys, begin: int, end: int
    ) -> tuple[Keys, int | None]:
        """The children of one core's share of a layer, in a set that grows as it needs to."""
        table = empty_key_set(max(MIN_KEY_SET_SLOTS, key_set_slots(3 * (end - begin))))
        held = 0
        while begin < end and not worker_threads.stopped:
            most = table.size * 3 // 4 - held
            stop = min(end, begin + CHUNK_POSITIONS)
            begin, found, misfits = self.loops.expand(
                self.rulings, self.layout, layer, begin, stop, table, most
            )
            held += found
            if misfits:
                return table, int(layer[begin])
            self._mind_the_limit(held)
            table = _roomy(self.loops, table, held + CHUNK_POSITIONS)
        return table, None

    def _mind_the_bound(self) -> None:
        """Refuse at once what the game itself says is far too large."""
        if self.game.bound is not None:
            least = self.game.bound(self.rulings) // 3
            if least > self._allowed:
                raise TooLarge(f"{least:,} positions at least; {self._limit_in_words()}")

    def _mind_the_limit(self, more: int = 0) -> None:
        """Refuse what will not fit into memory as soon as the listing shows it."""
        listed = self.listed + more
        sizes = [layer.size for layer in self.layers if layer.size]
        projected = _projected(sizes) if self.game.simultaneous else 0
        far_too_many = sizes[-1] > MIN_PROJECTED_LAYER_SIZE and projected > 2 * self.most
        if listed > self.most or far_too_many:
            growth = sizes[-1] / sizes[-2] if len(sizes) > 1 else sizes[-1]
            soon = listed + int(sizes[-1] * max(1.0, growth))
            coming = f"{projected * self._times:,} in all"
            if projected <= listed:
                coming = f"{soon * self._times:,} after the next step of play"
            raise TooLarge(
                f"{listed * self._times:,} positions so far and more to come, about {coming}; "
                f"{self._limit_in_words()}"
            )
        if len(self.layers) > MAX_LAYERS:
            raise BadGame(f"{self.game.name} comes back to its positions; it must say loops=True")

    @property
    def _times(self) -> int:
        """Positions for each that is kept: of two mirror images one is."""
        return 2 if self.game.mirror else 1

    @property
    def _allowed(self) -> int:
        return self.most * self._times

    def _limit_in_words(self) -> str:
        return f"the memory limit (EVENODDS_MEMORY_MB) allows {self._allowed:,}"

    def _widen(self, key: int) -> Any:
        """Make room for all children of a position, which is given."""
        state = self.packing.unpack(key, self.rulings, self.layout)
        for first in self.game.picks(state, FIRST):
            for second in self.game.picks(state, SECOND):
                child = self.game.step(state, (first, second))
                if self.game.outcome(child) == Outcome.ONGOING:
                    self.layout = self.layout.widened(fields_of(child))
                    if self.game.mirror is not None:
                        self.layout = self.layout.widened(fields_of(self.game.mirror(child)))
        return state


def _projected(sizes: list[int]) -> int:
    """All positions, from how the growth of layers has slowed down so far; 0 where it has not.

    Growth that slows down by some factor from layer to layer is taken to go on like that.
    """
    if len(sizes) < 4:
        return 0
    growth = sizes[-1] / sizes[-2]
    slowing = growth / (sizes[-2] / sizes[-3])
    if slowing > MAX_GROWTH_RATIO:
        return 0
    total, layer = float(sum(sizes)), float(sizes[-1])
    while layer >= 1:
        growth *= slowing
        layer *= growth
        total += layer
    return int(total)


def empty_key_set(size: int) -> Keys:
    """A set without keys; its size is a power of two."""
    return np.full(size, EMPTY, np.int64)


def key_set_slots(count: int) -> int:
    """Places for a number of keys: a power of two, at most three quarters full."""
    return 1 << (count * 4 // 3 + 1).bit_length()


def _roomy(loops: "GameKernels", table: Keys, count: int) -> Keys:
    """The set itself, or a larger one with the same keys, so that `count` keys fit well."""
    size = key_set_slots(count)
    if size <= table.size:
        return table
    larger = empty_key_set(size)
    loops.admit(larger, table, table)
    return larger
