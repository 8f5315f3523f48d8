"""Sets of position keys as hash tables that grow."""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evenodds.core.vocabulary import Settled
from evenodds.engine.key_tables import EMPTY_SLOT, insert_all, write_values
from evenodds.engine.layer_kernels import expand_layer
from evenodds.engine.position_keys import Layout
from evenodds.engine.threads import CHUNK_POSITIONS

if TYPE_CHECKING:
    from evenodds.engine.compile import GameKernels

Keys = NDArray[np.int64]
MIN_KEY_SET_SLOTS: Final = 1 << 14
"""Slots of the smallest set: a quarter of it holds all children (63 x 63) of one position."""


class KeySet:
    """A set of keys."""

    def __init__(self, kernels: "GameKernels", expected: int) -> None:
        self.held = 0
        self._kernels = kernels
        self._table = empty_key_set(max(MIN_KEY_SET_SLOTS, key_set_slots(expected)))

    def expand(
        self, rulings: Settled, layout: Layout, layer: Keys, piece: tuple[int, int], mirrored: bool
    ) -> tuple[int, bool]:
        """Insert children of a piece of a layer; where to go on, and whether one does not fit."""
        self._grow(self.held + CHUNK_POSITIONS)
        max_new = self._table.size * 3 // 4 - self.held
        begin, found, misfits = self._kernels(expand_layer)(
            rulings, layout, layer, *piece, self._table, max_new, mirrored
        )
        self.held += found
        return begin, misfits

    def add(self, keys: Keys) -> Keys:
        """Insert keys; those that are new, in the memory of what was given."""
        self._grow(self.held + keys.size)
        new = keys[: self._kernels.shared(insert_all)(self._table, keys, keys)]
        self.held += new.size
        return new

    def merge(self, other: "KeySet") -> None:
        """Insert the keys of another set."""
        self._grow(self.held + other.held)
        self.held += self._kernels.shared(insert_all)(self._table, other._table, other._table)

    def listed(self) -> Keys:
        """All keys in order."""
        return np.sort(self._table[self._table >= 0])

    def _grow(self, count: int) -> None:
        """Make room, so that so many keys fill at most three quarters."""
        size = key_set_slots(count)
        if size > self._table.size:
            smaller, self._table = self._table, empty_key_set(size)
            self._kernels.shared(insert_all)(self._table, smaller, smaller)


def empty_key_set(size: int) -> Keys:
    """An empty set of keys with a power of two of slots."""
    return np.full(size, EMPTY_SLOT, np.int64)


def key_set_slots(count: int) -> int:
    """Slots for some keys: a power of two, at most three quarters full."""
    return 1 << (count * 4 // 3 + 1).bit_length()


class KeyTable(NamedTuple):
    """A hash table for `kernels.key_tables.find`: keys by slot, and a figure for each slot."""

    keys: Keys
    figures: Any


def key_table(kernels: "GameKernels", keys: Keys, figures: Any = None) -> KeyTable:
    """A hash table from keys to figures, by default to their indices."""
    figures = np.arange(keys.size, dtype=np.int32) if figures is None else figures
    slots = empty_key_set(key_set_slots(keys.size))
    kernels.shared(insert_all)(slots, keys, np.empty_like(keys))
    slot_figures = np.zeros(slots.size, figures.dtype)
    kernels.shared(write_values)(slots, slot_figures, keys, figures)
    return KeyTable(slots, slot_figures)
