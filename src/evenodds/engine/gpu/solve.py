"""Backward induction over the positions of a simultaneous game, and matrix games, on the GPU."""

from typing import Any, Final

import numpy as np

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import TooLarge
from evenodds.core.vocabulary import Settled
from evenodds.engine.gpu import device, kernels
from evenodds.engine.key_tables import EMPTY_SLOT, key_set_slots
from evenodds.engine.positions import PositionEnumerator
from evenodds.engine.solution_files import SolvedPositions
from evenodds.engine.symmetry import symmetry_fault
from evenodds.system import Progress

xp: Final = device.array_module()
MIN_SLOTS: Final = 1 << (10 if device.IS_SIMULATED else 22)
"""Slots of the smallest table of children."""
BYTES_PER_KEY: Final = 48
"""Peak memory of a listed position on the device: its key and value, and a share of tables."""
HOST_BYTES_PER_KEY: Final = 32
KEYS_PER_RANGE: Final = 1 << 26
"""Solved positions that are sorted together."""
CHUNK_BYTES: Final = 1 << 30
"""Payoffs of matrix games on the device at a time."""


def solve_on_gpu(
    game: AnyGame, rulings: Settled, memory: int, progress: Progress
) -> SolvedPositions:
    """List and solve every position; `memory` is a limit in bytes of the processor's memory."""
    solver = GpuSolver(game, rulings, memory, progress)
    solver.run()
    if game.mirror is not None:
        solver.check_mirror()
    return solver.collect(solver.solve())


class GpuSolver(PositionEnumerator):
    """Lists the reachable open positions of a game and solves them; they stay on the GPU.

    `memory` is a limit in bytes of the processor's memory, into which the results are copied.
    """

    def __init__(self, game: AnyGame, rulings: Settled, memory: int, progress: Progress) -> None:
        here, there = memory // HOST_BYTES_PER_KEY, device.free_memory() // BYTES_PER_KEY
        self._is_limited_by_device = there < here
        self.bytes_per_key = BYTES_PER_KEY if there < here else HOST_BYTES_PER_KEY
        self._kernels_for = kernels.device_kernels(game)
        super().__init__(game, rulings, self._kernels_for(0), min(here, there), progress)

    def _list(self) -> int | None:
        slots = MIN_SLOTS
        start = self.packing.pack(self.game.start(self.rulings), self.layout)
        self.layers = [xp.array([start], np.int64)]
        self.listed = 1
        while True:
            table = xp.full(slots, EMPTY_SLOT, np.int64)
            counts = xp.array([0, EMPTY_SLOT], np.int64)
            self._launch(kernels.insert_children, self.layers[-1], table, counts)
            new, misfit = map(int, counts)
            if misfit != EMPTY_SLOT:
                return misfit
            if new > slots // 4 * 3:
                slots *= 4
                continue
            if not new:
                return None
            # Growth slows down from layer to layer, so that this is rarely too small.
            slots = max(MIN_SLOTS, key_set_slots(new * new // self.layers[-1].size))
            self.layers.append(xp.sort(table[table != EMPTY_SLOT]))
            self.listed += new
            self._report_progress()
            self._check_limit()

    def _limit_in_words(self) -> str:
        if not self._is_limited_by_device:
            return super()._limit_in_words()
        most = self._max_reported_positions
        return f"the GPU's free memory of {self._memory_for(most)} allows {most:,}"

    def _launch(self, kernel: Any, *given: Any, picks: int = 0) -> None:
        """Run a kernel over positions with at most so many picks of a seat, where it matters."""
        self._kernels_for(picks)(kernel)(self.rulings, self.layout, *given)

    def check_mirror(self) -> None:
        """`BadGame` where a position differs from its mirror image, of which only one is solved."""
        found = xp.full(1, EMPTY_SLOT, np.int64)
        for place, layer in enumerate(self.layers):
            self._launch(kernels.check_images, layer, found)
            self.progress("checking mirror images of positions", place + 1, len(self.layers))
        if found[0] != EMPTY_SLOT:
            raise symmetry_fault(self.game, self.rulings, self.layout, int(found[0]))

    def solve(self) -> list[Any]:
        """The values of the positions of each layer, made from those of the layer below."""
        total = sum(layer.size for layer in self.layers)
        self.gap, done = 0.0, 0
        worths: list[Any] = []
        table = self._table(0)
        for layer in reversed(self.layers):
            worths.append(self._solved(layer, *table))
            del table
            table = self._table(layer.size)
            self.kernels(kernels.fill_table)(*table, layer, worths[-1])
            done += layer.size
            self.progress("solving positions", done, total)
        return worths[::-1]

    def _table(self, count: int) -> tuple[Any, Any]:
        """An empty hash table: keys and values."""
        slots = key_set_slots(count)
        if device.IS_SIMULATED:  # it takes contiguous arrays only
            return xp.full(slots, EMPTY_SLOT, np.int64), xp.empty(slots)
        cells = xp.empty((slots, 2))  # interleaved: one access for both
        keys = cells.view(np.int64)[:, 0]
        keys[:] = EMPTY_SLOT
        return keys, cells[:, 1]

    def _solved(self, layer: Any, keys: Any, values: Any) -> Any:
        """The values of a layer's positions."""
        picks, _ = self._survey(layer)
        if picks > device.MATRIX_SIZES[-1]:
            raise TooLarge(
                f"{picks} picks of a seat; the GPU solves positions with up to "
                f"{device.MATRIX_SIZES[-1]}, --device cpu those with more"
            )
        worths, gaps = xp.empty(layer.size), xp.zeros(1)
        self._launch(kernels.solve_positions, layer, keys, values, worths, gaps, picks=picks)
        self.gap += float(gaps[0])
        return worths

    def _survey(self, keys: Any) -> tuple[int, int]:
        """The most picks of a seat, and how many positions are their own mirror images."""
        found = xp.zeros(2, np.int64)
        self._launch(kernels.survey, keys, found)
        return int(found[0]), int(found[1])

    def collect(self, worths: list[Any]) -> SolvedPositions:
        """All positions in ascending order of their keys, in the memory of the processor.

        Layers are sorted, so that a range of keys is a slice of each; a range is sorted at a time.
        """
        total = sum(layer.size for layer in self.layers)
        keys, values = np.empty(total, np.int64), np.empty(total)
        largest = max(self.layers, key=len)
        ranges = -(-total // KEYS_PER_RANGE)
        ends = [int(largest[largest.size * k // ranges]) for k in range(1, ranges)] + [1 << 62]
        begins = [0] * len(self.layers)
        count = own = 0
        for end in ends:
            stops = [int(xp.searchsorted(layer, end)) for layer in self.layers]
            found, worth = (
                xp.concatenate([x[i:j] for x, i, j in zip(each, begins, stops, strict=True)])
                for each in (self.layers, worths)
            )
            found, places = xp.unique(found, return_index=True)  # some are in several layers
            own += self._survey(found)[1]
            keys[count : count + found.size] = device.to_host(found)
            values[count : count + found.size] = device.to_host(worth[places])
            count += found.size
            begins = stops
        positions = 2 * count - own if self.game.mirror else count
        return SolvedPositions(self.layout, keys[:count], values[:count], positions, self.gap)


def solve_matrices_on_gpu(payoffs: Any, *found: Any) -> None:
    """Solve games of shape (count, rows, columns) into arrays that are where the games are.

    They are for values, gaps and the mixes of rows and columns.
    """
    count, height, width = payoffs.shape
    kernel = kernels.matrix_kernel(kernels.matrix_size(max(height, width)))
    chunk = max(1, CHUNK_BYTES // (8 * height * width))
    for begin in range(0, count, chunk):
        part = slice(begin, begin + chunk)
        games = xp.asarray(payoffs[part])
        parts = [xp.empty((len(games), *each.shape[1:])) for each in found]
        kernel(games, *parts)
        for target, source in zip(found, parts, strict=True):
            target[part] = device.to_host(source) if isinstance(target, np.ndarray) else source
