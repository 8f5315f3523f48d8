"""The values of all positions, in the table in which kernels look them up fastest."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evenodds.graph import Keys, key_set_slots
from evenodds.kernels import (
    CELL_BITS,
    EMPTY_SLOT,
    KEY_BITS,
    UNSOLVED,
    GameKernels,
    KeyCells,
    masks_of_keys,
    squeeze,
)

MAX_CELLS_PER_KEY: Final = 4
"""With more cells, keys are so sparse that a hash table takes less memory."""


class ValueTable:
    """Values by key: in cells in the order of keys where these are dense, else a hash table."""

    def __init__(self, layers: list[Keys], kernels: GameKernels) -> None:
        listed = np.concatenate(layers)
        listed.sort(kind="stable")  # merges the layers, which are sorted
        self.listed: Keys = listed[np.diff(listed, prepend=-1) > 0]
        """All keys in order, each once."""
        self._kernels = kernels
        self.keys: Any
        self.values: NDArray[np.float64]
        masks = masks_of_keys(int(np.bitwise_or.reduce(listed)), KEY_BITS)
        cells = (squeeze(int(listed[-1]), masks) >> CELL_BITS) + 1
        self._in_cells = cells <= MAX_CELLS_PER_KEY * self.listed.size
        if self._in_cells:
            self.keys = KeyCells(np.zeros(cells, np.int64), masks)
            self.values = np.full(self.listed.size, UNSOLVED)
            kernels.in_cells.fill_cells(self.listed, self.keys)
        else:
            pairs = np.full((key_set_slots(self.listed.size), 2), UNSOLVED)
            self.keys, self.values = pairs.view(np.int64)[:, 0], pairs[:, 1]
            self.keys[:] = EMPTY_SLOT  # key and value interleaved: one cache line for both
            kernels.insert_all(self.keys, self.listed, np.empty_like(self.listed))

    @property
    def solve_layer(self) -> Any:
        """The kernel that looks up children in this table."""
        return (self._kernels.in_cells if self._in_cells else self._kernels).solve_layer

    def write(self, layer: Keys, worths: NDArray[np.float64]) -> None:
        """Write the values of a layer."""
        kernels = self._kernels
        write = kernels.in_cells.write_in_cells if self._in_cells else kernels.write_values
        write(self.keys, self.values, layer, worths)

    def in_order(self) -> NDArray[np.float64]:
        """The values of all keys in their order."""
        if self._in_cells:
            return self.values
        found = np.empty(self.listed.size)
        self._kernels.read_values(self.keys, self.values, self.listed, found)
        return found
