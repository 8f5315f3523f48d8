"""Sets of the children of a layer's positions: marks for all possible keys, or hash tables."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from evenodds.core.vocabulary import Settled
from evenodds.kernels import (
    CELL_BITS,
    CHUNK_POSITIONS,
    EMPTY_SLOT,
    GAP,
    KeyCells,
    KeyMasks,
    Layout,
    masks_of_keys,
    squeeze,
)

if TYPE_CHECKING:
    from evenodds.kernels import GameKernels

Keys = NDArray[np.int64]
MIN_KEY_SET_SLOTS: Final = 1 << 14
"""Slots of the smallest set: a quarter of it holds all children (63 x 63) of one position."""
FEW_CELLS: Final = 1 << 19
"""Looking through so many takes less than a millisecond, and hashing would be compiled, too."""
MAX_CELLS_PER_PARENT: Final = 64
"""Up to this, looking through all cells takes less time than hashing the children."""
MIN_MARKED_LAYER: Final = 20_000
"""Smaller layers are hashed in milliseconds; once hashing is compiled, marking need not be."""
MAX_CELLS: Final = 1 << 28
"""A gigabyte for each thread, of which pages without a mark take no memory."""


class KeyOutsideMasks(Exception):
    """A child has a key with a bit that none of its parents has."""


class HashedKeys:
    """A hash table of keys that grows."""

    def __init__(self, kernels: "GameKernels", expected: int) -> None:
        self.held = 0
        self._kernels = kernels
        kernels.is_hashing = True
        self._table = empty_key_set(max(MIN_KEY_SET_SLOTS, key_set_slots(expected)))

    def expand(
        self, rulings: Settled, layout: Layout, layer: Keys, piece: tuple[int, int], mirrored: bool
    ) -> tuple[int, bool]:
        """Insert children of a piece of a layer; where to go on, and whether one does not fit."""
        self._grow(self.held + CHUNK_POSITIONS)
        max_new = self._table.size * 3 // 4 - self.held
        begin, found, misfits = self._kernels.expand_layer(
            rulings, layout, layer, *piece, self._table, max_new, mirrored
        )
        self.held += found
        return begin, misfits

    def add(self, other: "HashedKeys") -> None:
        """Insert the keys of another set."""
        self._grow(self.held + other.held)
        self.held += self._kernels.insert_all(self._table, other._table, other._table)

    def listed(self) -> Keys:
        """All keys in order."""
        return np.sort(self._table[self._table >= 0])

    def _grow(self, count: int) -> None:
        self._table = grown_key_set(self._kernels, self._table, count)


class MarkedKeys:
    """A bit for every possible key, in cells that take no memory until one of them is set."""

    def __init__(self, kernels: "GameKernels", layout: Layout, layer: Keys) -> None:
        self.held = 0
        self._kernels = kernels
        count, masks = _cells_for(layout, layer)
        self._table = KeyCells(np.zeros(count, np.uint32), masks)

    @staticmethod
    def is_faster(kernels: "GameKernels", layout: Layout, layer: Keys) -> bool:
        """Whether marking the children of a layer takes less time than hashing them."""
        if kernels.is_hashing and layer.size < MIN_MARKED_LAYER:
            return False
        few = max(MAX_CELLS_PER_PARENT * layer.size, FEW_CELLS)
        return kernels.compiled and _cells_for(layout, layer)[0] <= min(few, MAX_CELLS)

    def expand(
        self, rulings: Settled, layout: Layout, layer: Keys, piece: tuple[int, int], mirrored: bool
    ) -> tuple[int, bool]:
        """Insert children of a piece of a layer; where to go on, and whether one does not fit."""
        begin, found, misfits = self._kernels.in_cells.expand_layer(
            rulings, layout, layer, *piece, self._table, GAP - 1, mirrored
        )
        if found >= GAP:
            raise KeyOutsideMasks
        self.held += found
        return begin, misfits

    def add(self, other: "MarkedKeys") -> None:
        """Insert the keys of another set."""
        self._kernels.in_cells.add_marks(self._table.cells, other._table.cells)
        self.held += other.held

    def listed(self) -> Keys:
        """All keys in order."""
        keys = np.empty(self.held, np.int64)  # some may be counted in two sets
        return keys[: self._kernels.in_cells.list_marked(self._table, keys)].copy()


def _cells_for(layout: Layout, layer: Keys) -> tuple[int, KeyMasks]:
    """Cells for all keys without a bit that none of a layer has, and the masks of such keys."""
    masks = masks_of_keys(int(np.bitwise_or.reduce(layer)), layout.bits)
    return (squeeze((1 << layout.bits) - 1, masks) >> CELL_BITS) + 1, masks


def merged_keys(sets: Sequence[Any]) -> Keys:
    """The keys of some sets of the same kind in order, each once."""
    for other in sets[1:]:
        sets[0].add(other)
    found: Keys = sets[0].listed()
    return found


def empty_key_set(size: int) -> Keys:
    """An empty set of keys with a power of two of slots."""
    return np.full(size, EMPTY_SLOT, np.int64)


def key_set_slots(count: int) -> int:
    """Slots for some keys: a power of two, at most three quarters full."""
    return 1 << (count * 4 // 3 + 1).bit_length()


def grown_key_set(kernels: "GameKernels", table: Keys, count: int) -> Keys:
    """The set, or a larger copy, such that `count` keys fill at most three quarters."""
    size = key_set_slots(count)
    if size <= table.size:
        return table
    larger = empty_key_set(size)
    kernels.insert_all(larger, table, table)
    return larger
