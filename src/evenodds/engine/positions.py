"""Every reachable open position of a game, listed layer by layer on all cores."""

from typing import Any, Final

import numpy as np

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import (
    UNDECLARED_LOOPS,
    BadGame,
    TooLarge,
    refuse_unsolvable,
    too_many_positions,
)
from evenodds.core.validation import validate
from evenodds.core.vocabulary import FIRST, SECOND, Outcome, Settled
from evenodds.engine.compile import GameKernels, kernels_of
from evenodds.engine.game_functions import (
    ONGOING,
    kernel,
    locate,
    moves,
    outcome,
    pack,
    step,
    unpack,
)
from evenodds.engine.key_tables import Keys, KeySet, insert
from evenodds.engine.position_keys import Layout, check_width, fields_of, packing, sample_layout
from evenodds.engine.threads import CHUNK_POSITIONS, MIN_LISTED_ITEMS, WorkerThreads, split_range
from evenodds.system import Progress
from evenodds.system.environment import memory_limit, memory_size

BYTES_PER_POSITION: Final = 104
"""Peak memory of a stored position; where mirror images share one, half as much each."""
MIN_PROJECTED_LAYER_SIZE: Final = 200_000
"""From a layer of this size on, the projected total may refuse a game."""
MAX_GROWTH_RATIO: Final = 0.8
"""Ratio of successive growth factors below which layers are taken to shrink eventually."""
MAX_LAYERS: Final = 10_000
"""A game with more layers is taken to have undeclared loops."""
MAX_INTERPRETED_POSITIONS: Final = 3_000
"""Positions up to which interpreting is faster than compiling."""


@kernel
def expand_layer(
    rulings: Any, layout: Any, layer: Any, begin: int, end: int, table: Any, most: int, alike: bool
) -> tuple[int, int, bool]:
    """Insert the open children of a layer's positions into a set until more than `most` are new.

    With `alike` one of all that are alike stands for them (`locate`).

    Returns where to go on, how many are new, and whether a child did not fit the layout.
    """
    found = 0
    for place in range(begin, end):
        if found > most:
            return place, found, False
        state = unpack(layer[place], rulings, layout)
        first = moves(state, 0)
        i = 0
        while first >> i:
            if first >> i & 1:
                second = moves(state, 1)
                j = 0
                while second >> j:
                    if second >> j & 1:
                        child = step(state, (i, j))
                        if outcome(child) == ONGOING:
                            key = locate(child, layout)[0] if alike else pack(child, layout)
                            if key < 0:
                                return place, found, True
                            found += insert(table, key)
                    j += 1
            i += 1
    return end, found, False


class PositionLayers:
    """The keys of all open positions in layers, their layout, and the kernels of the game."""

    layout: Layout
    layers: list[Keys]
    kernels: GameKernels


class PositionEnumerator(PositionLayers):
    """Enumerates the reachable open positions of a game under some rulings, breadth-first."""

    bytes_per_key = BYTES_PER_POSITION

    def __init__(
        self, game: AnyGame, rulings: Settled, kernels: GameKernels, most: int, progress: Progress
    ) -> None:
        self.game, self.rulings, self.kernels = game, rulings, kernels
        self.max_positions, self.progress = most, progress
        self.layout = sample_layout(game, rulings)
        self.packing = packing(game.start(rulings))

    def run(self) -> None:
        """List all positions; starts anew with a wider layout when a position does not fit."""
        widest, bound = self.game.start(self.rulings), self.game.bound
        least = bound(self.rulings) // 3 if bound else 0
        if least > self._max_reported_positions:
            needed = self._memory_for(least)
            raise TooLarge(f"{least:,} positions at least need {needed}; {self._limit_in_words()}")
        while True:
            check_width(self.game, self.layout, widest)
            misfit = self._list()
            if misfit is None:
                return
            widest = self._widen(misfit)

    def _list(self) -> int | None:
        """List layer by layer; returns the key of a position with a child that does not fit."""
        first = self.game.start(self.rulings)
        first = self.game.representative(first) if self.game.representative else first
        start = self.packing.pack(first, self.layout)
        self.layers = [np.array([start], np.int64)]
        self.listed = 1
        # Without loops a position is in the layer of each line of play that leads to it: the last
        # of them is its place in topological order.
        seen = KeySet(self.kernels, 1 << 15)
        seen.add(self.layers[0].copy())
        with WorkerThreads() as threads:
            while self.layers[-1].size:
                found, misfit = self._children(threads)
                if misfit is not None:
                    return misfit
                if self.game.loops:
                    found = seen.add(found).copy()
                self.layers.append(found)
                self.listed += found.size
                self._report_progress()
                self._check_limit()
        return None

    def _report_progress(self) -> None:
        """Report progress, with a projected total where layers allow one."""
        listed = self.listed * self._positions_per_key
        bound = self.game.bound(self.rulings) if self.game.bound else 0
        sizes = [layer.size for layer in self.layers if layer.size]
        expected = _projected(sizes) * self._positions_per_key or bound
        self.progress("listing positions", listed, max(expected, listed) if expected else 0)

    def _children(self, threads: WorkerThreads) -> tuple[Keys, int | None]:
        """The next layer, sorted; each thread has a set of its own, so that no lock is needed."""
        layer = self.layers[-1]
        is_reduced = self.game.mirror is not None or self.game.representative is not None
        expand_piece = self.kernels(expand_layer)

        def expand(share: tuple[int, int]) -> tuple[KeySet, int | None]:
            begin, end = share
            found = KeySet(self.kernels, 3 * (end - begin))
            while begin < end and not threads.stopped:
                stop = min(end, begin + CHUNK_POSITIONS)
                piece = self.rulings, self.layout, layer, begin, stop
                begin, misfits = found.expand(expand_piece, *piece, is_reduced=is_reduced)
                if misfits:
                    return found, int(layer[begin])
                self._check_limit(found.held)
            return found, None

        sets: list[KeySet] = []
        shares = split_range(layer.size, layer.size, MIN_LISTED_ITEMS)
        for found, misfit in threads.map(expand, shares):
            if misfit is not None:
                return layer[:0], misfit
            sets.append(found)
        for other in sets[1:]:
            sets[0].add(other.keys())
        return np.sort(sets[0].keys()), None

    def _check_limit(self, more: int = 0) -> None:
        """`TooLarge` as soon as the listing shows that memory will not suffice."""
        listed = self.listed + more
        sizes = [layer.size for layer in self.layers if layer.size]
        projected = _projected(sizes) if self.game.simultaneous else 0
        far_too_many = sizes[-1] > MIN_PROJECTED_LAYER_SIZE and projected > 2 * self.max_positions
        if listed > self.max_positions or far_too_many:
            growth = sizes[-1] / sizes[-2] if len(sizes) > 1 else sizes[-1]
            soon = listed + int(sizes[-1] * max(1.0, growth)), "after the next step of play"
            count, when = (projected, "in all") if projected > listed else soon
            count *= self._positions_per_key
            raise TooLarge(
                f"{listed * self._positions_per_key:,} positions so far and more to come, "
                f"about {count:,} {when}, which need {self._memory_for(count)}; "
                f"{self._limit_in_words()}"
            )
        if len(self.layers) > MAX_LAYERS:
            raise BadGame(f"{self.game.name} {UNDECLARED_LOOPS}")

    @property
    def _positions_per_key(self) -> int:
        """2 where only one of two mirror images is listed."""
        return 2 if self.game.mirror else 1

    @property
    def _max_reported_positions(self) -> int:
        return self.max_positions * self._positions_per_key

    def _limit_in_words(self) -> str:
        most = self._max_reported_positions
        return f"the memory limit (EVENODDS_MEMORY_MB) of {self._memory_for(most)} allows {most:,}"

    def _memory_for(self, positions: int) -> str:
        return memory_size(positions * self.bytes_per_key / self._positions_per_key)

    def _widen(self, key: int) -> Any:
        """Widen the layout for all children of a position, which is returned."""
        state = self.packing.unpack(key, self.rulings, self.layout)
        for first in self.game.picks(state, FIRST):
            for second in self.game.picks(state, SECOND):
                child = self.game.step(state, (first, second))
                if self.game.outcome(child) == Outcome.ONGOING:
                    for each in filter(None, (self.game.mirror, self.game.representative)):
                        self.layout = self.layout.widened(fields_of(each(child)))
                    self.layout = self.layout.widened(fields_of(child))
        return state


class Listing(PositionLayers):
    """The open positions of a game in layers, by number of rounds; both of two mirror images.

    Raises `TooLarge` as soon as there are more than `max_positions`, or than fit into memory. They
    are listed by compiled kernels or by interpreted ones, with `compiled` None by the faster.
    """

    def __init__(
        self,
        game: AnyGame,
        rulings: Settled,
        progress: Progress,
        max_positions: int | None = None,
        memory: int | None = None,
        compiled: bool | None = None,
    ) -> None:
        refuse_unsolvable(game)
        validate(game, rulings)
        self.game, self.rulings, self.progress = game, rulings, progress
        self.memory = memory_limit() if memory is None else memory
        fitting = self.memory // BYTES_PER_POSITION
        most = fitting if max_positions is None else min(fitting, max_positions)
        try:
            self._list(compiled, most)
        except TooLarge:
            if most == max_positions:
                raise TooLarge(too_many_positions(most)) from None
            raise

    def _list(self, compiled: bool | None, most: int) -> None:
        limit = min(most, MAX_INTERPRETED_POSITIONS) if compiled is None else most
        self.is_compiled, self.kernels = bool(compiled), kernels_of(self.game, bool(compiled))
        plain = self.game._replace(mirror=None, canonical=None)  # lists all that are alike
        found = PositionEnumerator(plain, self.rulings, self.kernels, limit, self.progress)
        try:
            found.run()
        except TooLarge:
            if limit == most:
                raise
            self._list(True, most)
        else:
            self.layout, self.layers = found.layout, found.layers


def _projected(sizes: list[int]) -> int:
    """The projected number of all positions; 0 where growth has not slowed down enough.

    The growth factor is taken to shrink by the same ratio from layer to layer.
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
