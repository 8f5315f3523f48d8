"""Hash tables of position keys, the same for all games, and the kernels over them.

Open addressing with linear probing; the size of a table is a power of two.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evenodds.core.vocabulary import rule
from evenodds.engine.game_functions import kernel
from evenodds.engine.threads import CHUNK_POSITIONS

Keys = NDArray[np.int64]
KeyTable = tuple[Keys, Any]
"""A hash table for `find`: keys by slot, and a figure for each slot."""
EMPTY_SLOT = -1
"""An empty slot of a hash table."""
MIN_KEY_SET_SLOTS: Final = 1 << 14
"""Slots of the smallest set: a quarter of it holds all children (63 x 63) of one position."""


@rule
def slot_of(key: int, mask: int) -> int:
    """The slot at which probing for a key begins: a hash of its bits.

    Both halves of the key are multiplied within 63 bits: signed overflow is undefined for the
    compiler, and two kernels might then hash one key differently.
    """
    mixed = (key & 0x7FFFFFFF) * 0x5BD1E995 + (key >> 31) * 0x1B873593
    return (mixed ^ (mixed >> 21) ^ (mixed >> 37)) & mask


@rule
def insert(table: Any, key: int) -> int:
    """Insert a key into a set; 1 when it is new there."""
    mask = table.size - 1
    place = slot_of(key, mask)
    while table[place] != EMPTY_SLOT:
        if table[place] == key:
            return 0
        place = (place + 1) & mask
    table[place] = key
    return 1


@kernel
def insert_all(table: Any, found: Any, fresh: Any) -> int:
    """Insert keys into a set; list those that are new in `fresh` and return their number.

    Empty slots are skipped, so that `found` may be another set. `fresh` may be the same array as
    `found`: writes never overtake reads.
    """
    count = 0
    for key in found:
        if key != EMPTY_SLOT and insert(table, key):
            fresh[count] = key
            count += 1
    return count


@rule
def find(keys: Any, key: int) -> int:
    """The slot of a key that the table holds; `LookupError` for any other."""
    mask = keys.size - 1
    place = slot_of(key, mask)
    while keys[place] != key:
        if keys[place] == EMPTY_SLOT:
            raise LookupError("no position has this key")
        place = (place + 1) & mask
    return place


@kernel
def write_values(keys: Any, values: Any, layer: Any, worths: Any) -> None:
    """Write the values of some keys into the table."""
    for place in range(layer.size):
        values[find(keys, layer[place])] = worths[place]


@kernel
def read_values(keys: Any, values: Any, listed: Any, found: Any) -> None:
    """Read the values of some keys from the table, in their order."""
    for place in range(listed.size):
        found[place] = values[find(keys, listed[place])]


class KeySet:
    """A set of keys that grows; `kernels` are a game's."""

    def __init__(self, kernels: Any, expected: int) -> None:
        self.held = 0
        self._insert_all = kernels.shared(insert_all)
        self._table = empty_key_set(max(MIN_KEY_SET_SLOTS, key_set_slots(expected)))

    def expand(
        self, expand_layer: Callable[..., Any], *piece: Any, mirrored: bool
    ) -> tuple[int, bool]:
        """Insert children of a piece of a layer; where to go on, and whether one does not fit."""
        self._grow(self.held + CHUNK_POSITIONS)
        max_new = self._table.size * 3 // 4 - self.held
        begin, found, misfits = expand_layer(*piece, self._table, max_new, mirrored)
        self.held += found
        return begin, misfits

    def add(self, keys: Keys) -> Keys:
        """Insert keys; those that are new, in the memory of what was given."""
        self._grow(self.held + keys.size)
        new = keys[: self._insert_all(self._table, keys, keys)]
        self.held += new.size
        return new

    def merge(self, other: "KeySet") -> None:
        """Insert the keys of another set."""
        self._grow(self.held + other.held)
        self.held += self._insert_all(self._table, other._table, other._table)

    def listed(self) -> Keys:
        """All keys in order."""
        return np.sort(self._table[self._table >= 0])

    def _grow(self, count: int) -> None:
        """Make room, so that so many keys fill at most three quarters."""
        size = key_set_slots(count)
        if size > self._table.size:
            smaller, self._table = self._table, empty_key_set(size)
            self._insert_all(self._table, smaller, smaller)


def empty_key_set(size: int) -> Keys:
    """An empty set of keys with a power of two of slots."""
    return np.full(size, EMPTY_SLOT, np.int64)


def key_set_slots(count: int) -> int:
    """Slots for some keys: a power of two, at most three quarters full."""
    return 1 << (count * 4 // 3 + 1).bit_length()


def key_table(kernels: Any, keys: Keys, figures: Any = None) -> KeyTable:
    """A hash table from keys to figures, by default to their indices."""
    figures = np.arange(keys.size, dtype=np.int32) if figures is None else figures
    slots = empty_key_set(key_set_slots(keys.size))
    kernels.shared(insert_all)(slots, keys, np.empty_like(keys))
    slot_figures = np.zeros(slots.size, figures.dtype)
    kernels.shared(write_values)(slots, slot_figures, keys, figures)
    return slots, slot_figures
