"""Backward induction over the positions of a simultaneous game on the GPU."""

from typing import Any, Final

import numpy as np

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import game_fault
from evenodds.core.validation import GameValidator
from evenodds.core.vocabulary import Settled
from evenodds.engine.gpu import IS_SIMULATED
from evenodds.engine.gpu.device import array_module, grid_for, to_host
from evenodds.engine.gpu.game_kernels import gpu_listing_kernels, gpu_solve_kernel
from evenodds.engine.gpu.listing import BLOCK, GpuPositionEnumerator
from evenodds.engine.gpu.sizes import MATRIX_SIZES, matrix_size
from evenodds.engine.key_tables import EMPTY_SLOT, key_set_slots
from evenodds.engine.limits import TooLarge
from evenodds.engine.position_keys import packing
from evenodds.engine.positions import PositionLayers
from evenodds.engine.solution_files import SolvedPositions
from evenodds.system.progress import Progress

KEYS_PER_RANGE: Final = 1 << 26
"""Solved positions that are sorted together."""


def solve_on_gpu(
    game: AnyGame, rulings: Settled, memory: int, progress: Progress
) -> SolvedPositions:
    """List and solve every position; `memory` is a limit in bytes of the processor's memory."""
    listing = GpuPositionEnumerator(game, rulings, memory, progress).run()
    if game.mirror is not None:
        check_mirror(game, rulings, listing, progress)
    solver = LayerSolver(game, rulings, listing, progress)
    return solver.collect(solver.solve())


def check_mirror(
    game: AnyGame, rulings: Settled, listing: PositionLayers, progress: Progress
) -> None:
    """`BadGame` where a position differs from its mirror image, of which only one is solved."""
    xp = array_module()
    found = xp.full(1, EMPTY_SLOT, np.int64)
    for place, layer in enumerate(listing.layers):
        gpu_listing_kernels(game).find_unmirrored[grid_for(BLOCK), BLOCK](
            rulings, listing.layout, layer, found
        )
        progress("checking mirror images of positions", place + 1, len(listing.layers))
    if found[0] >= 0:
        state = packing(game.start(rulings)).unpack(int(found[0]), rulings, listing.layout)
        GameValidator(game, rulings).check(state)  # says what is wrong
        raise game_fault(game, "mirror", state, "does not hold once it is compiled")


class LayerSolver:
    """Solves layer after layer from the last one; only the layer below is looked up."""

    def __init__(
        self, game: AnyGame, rulings: Settled, listing: PositionLayers, progress: Progress
    ) -> None:
        self.game, self.rulings = game, rulings
        self.layout, self.layers = listing
        self.progress = progress
        self.xp = array_module()
        self.gap = 0.0

    def solve(self) -> list[Any]:
        """The values of the positions of each layer, which stay on the device."""
        total = sum(layer.size for layer in self.layers)
        done = 0
        worths: list[Any] = []
        table = self._table(0)
        for layer in reversed(self.layers):
            worths.append(self._solved(layer, *table))
            del table
            table = self._table(layer.size)
            gpu_listing_kernels(self.game).insert_all[grid_for(BLOCK), BLOCK](
                *table, layer, worths[-1]
            )
            done += layer.size
            self.progress("solving positions", done, total)
        return worths[::-1]

    def _table(self, count: int) -> tuple[Any, Any]:
        """An empty hash table: keys and values."""
        slots = key_set_slots(count)
        if IS_SIMULATED:  # it takes contiguous arrays only
            return self.xp.full(slots, EMPTY_SLOT, np.int64), self.xp.empty(slots)
        cells = self.xp.empty((slots, 2))  # interleaved: one access for both
        keys = cells.view(np.int64)[:, 0]
        keys[:] = EMPTY_SLOT
        return keys, cells[:, 1]

    def _solved(self, layer: Any, keys: Any, values: Any) -> Any:
        """The values of a layer's positions."""
        xp = self.xp
        widest = xp.zeros(1, np.int64)
        gpu_listing_kernels(self.game).find_widest[grid_for(BLOCK), BLOCK](
            self.rulings, self.layout, layer, widest
        )
        if widest[0] > MATRIX_SIZES[-1]:
            raise TooLarge(
                f"{int(widest[0])} picks of a seat; the GPU solves positions with up to "
                f"{MATRIX_SIZES[-1]}, --device cpu those with more"
            )
        kernel = gpu_solve_kernel(self.game, matrix_size(int(widest[0])))
        worths, gaps = xp.empty(layer.size), xp.zeros(1)
        kernel[grid_for(BLOCK), BLOCK](self.rulings, self.layout, layer, keys, values, worths, gaps)
        self.gap += float(gaps[0])
        return worths

    def collect(self, worths: list[Any]) -> SolvedPositions:
        """All positions in ascending order of their keys, in the memory of the processor.

        Layers are sorted, so that a range of keys is a slice of each; a range is sorted at a time.
        """
        xp = self.xp
        total = sum(layer.size for layer in self.layers)
        keys, values = np.empty(total, np.int64), np.empty(total)
        largest = max(self.layers, key=len)
        ranges = -(-total // KEYS_PER_RANGE)
        ends = [int(largest[largest.size * k // ranges]) for k in range(1, ranges)] + [1 << 62]
        begins = [0] * len(self.layers)
        count = own = 0
        for end in ends:
            stops = [int(xp.searchsorted(layer, end)) for layer in self.layers]
            slices = list(map(slice, begins, stops))
            found = xp.concatenate([x[part] for x, part in zip(self.layers, slices, strict=True)])
            worth = xp.concatenate([x[part] for x, part in zip(worths, slices, strict=True)])
            order = xp.argsort(found)
            found, worth = found[order], worth[order]
            is_new = xp.ones(found.size, bool)  # a position may be in several layers
            is_new[1:] = found[1:] != found[:-1]
            found, worth = found[is_new], worth[is_new]
            own += self._own_images(found)
            keys[count : count + found.size] = to_host(found)
            values[count : count + found.size] = to_host(worth)
            count += found.size
            begins = stops
        positions = 2 * count - own if self.game.mirror else count
        return SolvedPositions(self.layout, keys[:count], values[:count], positions, self.gap)

    def _own_images(self, keys: Any) -> int:
        """How many positions are their own mirror images."""
        count = self.xp.zeros(1, np.int64)
        gpu_listing_kernels(self.game).count_own_images[grid_for(BLOCK), BLOCK](
            self.rulings, self.layout, keys, count
        )
        return int(count[0])
