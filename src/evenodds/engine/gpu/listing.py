"""Every reachable open position of a simultaneous game, listed layer by layer on the GPU."""

from typing import Any, Final

import numpy as np

from evenodds.core.catalog import AnyGame
from evenodds.core.vocabulary import Settled
from evenodds.engine.gpu import IS_SIMULATED
from evenodds.engine.gpu.device import array_module, free_memory, grid_for
from evenodds.engine.gpu.game_kernels import gpu_listing_kernels
from evenodds.engine.key_tables import EMPTY_SLOT, key_set_slots
from evenodds.engine.positions import PositionEnumerator
from evenodds.system.progress import Progress

BLOCK: Final = 1 if IS_SIMULATED else 128
MIN_SLOTS: Final = 1 << (10 if IS_SIMULATED else 22)
"""Slots of the smallest table of children."""
BYTES_PER_KEY: Final = 48
"""Peak memory of a listed position on the device: its key and value, and a share of tables."""
HOST_BYTES_PER_KEY: Final = 32


class GpuPositionEnumerator(PositionEnumerator):
    """Enumerates the reachable open positions of a game on the GPU; its layers stay there.

    `memory` is a limit in bytes of the processor's memory, into which the results are copied.
    """

    def __init__(self, game: AnyGame, rulings: Settled, memory: int, progress: Progress) -> None:
        here, there = memory // HOST_BYTES_PER_KEY, free_memory() // BYTES_PER_KEY
        self._is_limited_by_device = there < here
        self.bytes_per_key = BYTES_PER_KEY if there < here else HOST_BYTES_PER_KEY
        kernels: Any = gpu_listing_kernels(game)
        super().__init__(game, rulings, kernels, min(here, there), progress)
        self._expand_layer: Any = kernels.expand_layer

    def _list(self) -> int | None:
        xp = array_module()
        start = self.packing.pack(self.game.start(self.rulings), self.layout)
        self.layers = [xp.array([start], np.int64)]
        self.listed = 1
        slots = MIN_SLOTS
        while self.layers[-1].size:
            if len(self.layers) > 1:
                # Growth slows down from layer to layer, so that this is rarely too small.
                growth = self.layers[-1].size / self.layers[-2].size
                slots = max(MIN_SLOTS, key_set_slots(int(self.layers[-1].size * growth)))
            found, misfit = self._next_layer(xp, slots)
            if misfit is not None:
                return misfit
            self.layers.append(xp.sort(found))
            self.listed += found.size
            self._report_progress()
            self._check_limit()
        self.layers.pop()
        return None

    def _next_layer(self, xp: Any, slots: int) -> tuple[Any, int | None]:
        """The open children of the last layer in any order, or a position that has a misfit."""
        while True:
            table = xp.full(slots, EMPTY_SLOT, np.int64)
            found = xp.empty(slots * 3 // 4, np.int64)
            counts = xp.array([0, 0, -1], np.int64)
            self._expand_layer[grid_for(BLOCK), BLOCK](
                self.rulings, self.layout, self.layers[-1], table, found, counts
            )
            new, is_full, misfit = map(int, counts)
            if misfit >= 0:
                return found, misfit
            if not is_full:
                return found[:new], None
            slots *= 4

    def _limit_in_words(self) -> str:
        if not self._is_limited_by_device:
            return super()._limit_in_words()
        most = self._max_reported_positions
        return f"the GPU's free memory of {self._memory_for(most)} allows {most:,}"
