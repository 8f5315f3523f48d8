"""Sets of position keys, and tables of their places in order; the same for all games.

Hashing is open addressing with linear probing; the size of a set is a power of two.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evenodds.core.vocabulary import rule
from evenodds.engine.game_functions import kernel
from evenodds.engine.threads import CHUNK_POSITIONS

Keys = NDArray[np.int64]
KeyTable = tuple[Keys, Keys, Keys, int]
"""For `find`: the set of pages (high bits) of keys, the first cell of each page, all cells, and the
bits of a key within its page. A cell is for 32 possible keys: a bit for each, and above these the
place of the first that there is. What is near in the order of keys is near here: the children of
positions that are solved one after another are in a core's cache."""
EMPTY_SLOT = -1
"""An empty slot of a hash table."""
NEAR_BITS = 4
"""Keys that differ in these last bits alone begin side by side."""
MIN_KEY_SET_SLOTS: Final = 1 << 14
"""Slots of the smallest set: a quarter of it holds all children (63 x 63) of one position."""
CELL_BITS = 5
CELL_KEYS = 1 << CELL_BITS
MAX_PAGE_BITS: Final = 20
MAX_CELLS_PER_KEY: Final = 4
"""Up to so many: the wider pages are, the fewer are hashed."""


@rule
def slot_of(key: int, mask: int) -> int:
    """The slot at which probing for a key begins: a hash of its high bits, plus its low bits.

    Keys that differ in those alone are solved one after another, and so stay in a core's cache. The
    product takes 62 bits: signed overflow is undefined for the compiler, and two kernels might then
    hash one key differently.
    """
    high = key >> NEAR_BITS
    mixed = ((high ^ high >> 31) & 0x7FFFFFFF) * 0x5BD1E995
    return ((mixed >> 15) + (key & (1 << NEAR_BITS) - 1)) & mask


@rule
def probe(table: Any, key: int) -> int:
    """The slot of a key, or the empty one where it would be."""
    mask = table.size - 1
    slot = slot_of(key, mask)
    while table[slot] != key and table[slot] != EMPTY_SLOT:
        slot = (slot + 1) & mask
    return slot


@rule
def insert(table: Any, key: int) -> int:
    """Insert a key into a set; 1 when it is new there."""
    slot = probe(table, key)
    if table[slot] == key:
        return 0
    table[slot] = key
    return 1


@kernel
def insert_all(table: Any, keys: Any) -> int:
    """Insert keys into a set, empty slots of another aside; move those that are new to the front.

    Returns their number.
    """
    count = 0
    for key in keys:
        if key != EMPTY_SLOT and insert(table, key):
            keys[count] = key
            count += 1
    return count


@kernel
def fill_table(table: Any, keys: Any) -> None:
    """Fill an empty table with keys in order."""
    pages, begins, cells, bits = table
    size = 1 << bits - CELL_BITS
    last, begin = -1, -size
    for place in range(keys.size):
        page = keys[place] >> bits
        if page != last:
            last, begin = page, begin + size
            slot = probe(pages, page)
            pages[slot], begins[slot] = page, begin
        cell = begin + (keys[place] >> CELL_BITS & size - 1)
        if cells[cell] == 0:
            cells[cell] = place << CELL_KEYS
        cells[cell] |= 1 << (keys[place] & CELL_KEYS - 1)


@rule
def find(table: Any, key: int) -> int:
    """The place of a key among those of a table in order; `LookupError` for any other."""
    pages, begins, cells, bits = table
    slot = probe(pages, key >> bits)
    cell = cells[begins[slot] + (key >> CELL_BITS & (1 << bits - CELL_BITS) - 1)]
    bit = 1 << (key & CELL_KEYS - 1)
    if pages[slot] == EMPTY_SLOT or cell & bit == 0:
        raise LookupError("no position has this key")
    place: int = cell >> CELL_KEYS
    before = cell & bit - 1
    while before != 0:
        place += 1
        before &= before - 1
    return place


class KeySet:
    """A set of keys that grows; `kernels` are a game's."""

    def __init__(self, kernels: Any, expected: int) -> None:
        self.held = 0
        self._insert_all = kernels.compiler.kernel(insert_all)
        self._table = np.full(max(MIN_KEY_SET_SLOTS, key_set_slots(expected)), EMPTY_SLOT, np.int64)

    def expand(
        self, expand_layer: Callable[..., Any], *piece: Any, is_reduced: bool
    ) -> tuple[int, bool]:
        """Insert children of a piece of a layer; where to go on, and whether one does not fit."""
        self._grow(self.held + CHUNK_POSITIONS)
        max_new = self._table.size // 2 - self.held
        begin, found, misfits = expand_layer(*piece, self._table, max_new, is_reduced)
        self.held += found
        return begin, misfits

    def add(self, keys: Keys) -> Keys:
        """Insert keys; those that are new, in the memory of what was given."""
        self._grow(self.held + keys.size)
        new = keys[: self._insert_all(self._table, keys)]
        self.held += new.size
        return new

    def keys(self) -> Keys:
        """All keys in any order."""
        return self._table[self._table >= 0]

    def _grow(self, count: int) -> None:
        """Make room, so that so many keys fill at most half."""
        size = key_set_slots(count)
        if size > self._table.size:
            smaller, self._table = self._table, np.full(size, EMPTY_SLOT, np.int64)
            self._insert_all(self._table, smaller)


def key_set_slots(count: int) -> int:
    """Slots for some keys: a power of two, at most half full, where most are found at once."""
    return 1 << (2 * count).bit_length()


def key_table(kernels: Any, keys: Keys) -> KeyTable:
    """The table of keys in ascending order, of pages as wide as memory allows."""
    apart = keys[1:] ^ keys[:-1]
    for bits in range(MAX_PAGE_BITS, CELL_BITS - 1, -1):
        count = 1 + int(np.count_nonzero(apart >= 1 << bits))
        if count << bits - CELL_BITS <= MAX_CELLS_PER_KEY * keys.size:
            break
    pages = np.full(key_set_slots(count), EMPTY_SLOT, np.int64)
    cells = np.zeros(count << bits - CELL_BITS, np.int64)
    table = pages, np.zeros_like(pages), cells, bits
    kernels.compiler.kernel(fill_table)(table, keys)
    return table
