"""Kernels over tables of position keys, the same for all games: hash tables and cells.

Hash tables are open addressing with linear probing; their size is a power of two. Cells stand in
the order of keys.
"""

from typing import Any, NamedTuple

from evenodds.core.vocabulary import rule

EMPTY_SLOT = -1
"""An empty slot of a hash table."""
CELL_BITS = 5
"""Keys that differ in these last bits only share a cell: 32 of them."""
CELL_KEYS = 1 << CELL_BITS


GAP = 1 << 50
"""Returned for a key with a bit that was taken for unused: above any number of new keys."""


class KeyMasks(NamedTuple):
    """The bits of keys, without two that no key has."""

    low: int
    middle: int
    high: int
    """The bits below, between and above those two, where `squeeze` moves them."""
    gaps: int
    """Those two."""


class KeyCells(NamedTuple):
    """A cell for every 32 possible keys in their order, whose bits say which of them there are.

    What is near in the order of keys is near here: the children of positions that are solved one
    after another are in a core's cache, as in a hash table they are not. For `find_in_cells` each
    cell has, above its bits, the place of its first key in a sorted list.
    """

    cells: Any
    masks: KeyMasks


def masks_of_keys(used: int, bits: int) -> KeyMasks:
    """The masks for keys of so many bits, of which these are used, as 0 is not in a set of picks.

    The gaps are the two highest bits that are not used.
    """
    unused = [bit for bit in range(used.bit_length()) if not used >> bit & 1]
    low, high = (*unused[-2:], bits, bits)[:2]
    below, middle = (1 << low) - 1, ((1 << high) - 1) >> 1 & -(1 << low)
    above = ((1 << bits) - 1) >> 2 & ~(below | middle)
    return KeyMasks(below, middle, above, ((1 << bits) - 1) & (1 << low | 1 << high))


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


@rule
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


@rule
def write_values(keys: Any, values: Any, layer: Any, worths: Any) -> None:
    """Write the values of some keys into the table."""
    for place in range(layer.size):
        values[find(keys, layer[place])] = worths[place]


@rule
def read_values(keys: Any, values: Any, listed: Any, found: Any) -> None:
    """Read the values of some keys from the table, in their order."""
    for place in range(listed.size):
        found[place] = values[find(keys, listed[place])]


@rule
def squeeze(key: int, masks: KeyMasks) -> int:
    """A key without the bits that no key has; the order stays."""
    return key & masks.low | key >> 1 & masks.middle | key >> 2 & masks.high


@rule
def mark(table: KeyCells, key: int) -> int:
    """Insert a key into a set; 1 when it is new there, `GAP` when it does not fit the masks."""
    if key & table.masks.gaps:
        return GAP
    short = squeeze(key, table.masks)
    bit = 1 << (short & (CELL_KEYS - 1))
    cell = int(table.cells[short >> CELL_BITS])
    table.cells[short >> CELL_BITS] = cell | bit
    return 0 if cell & bit else 1


@rule
def add_marks(cells: Any, others: Any) -> None:
    """Insert the keys of another set; empty cells, which may take no memory, are only read."""
    for cell in range(others.size):
        if others[cell] != 0:
            cells[cell] |= others[cell]


@rule
def list_marked(table: KeyCells, keys: Any) -> int:
    """List the keys of a set in order; their number."""
    masks = table.masks
    count = 0
    for cell in range(table.cells.size):
        bits = int(table.cells[cell])
        bit = 0
        while bits >> bit:
            if bits >> bit & 1:
                short = (cell << CELL_BITS) + bit
                keys[count] = (
                    short & masks.low | (short & masks.middle) << 1 | (short & masks.high) << 2
                )
                count += 1
            bit += 1
    return count


@rule
def fill_cells(keys: Any, table: KeyCells) -> None:
    """Fill empty cells with the places of keys, which are in ascending order."""
    cells, masks = table
    for place in range(keys.size):
        key = squeeze(int(keys[place]), masks)
        cell = key >> CELL_BITS
        if cells[cell] == 0:
            cells[cell] = place << CELL_KEYS
        cells[cell] |= 1 << (key & (CELL_KEYS - 1))


@rule
def find_in_cells(table: KeyCells, key: int) -> int:
    """The place of a key in the sorted list; `LookupError` where it is not there."""
    cells, masks = table
    short = squeeze(key, masks)
    cell = int(cells[short >> CELL_BITS])
    bit = short & (CELL_KEYS - 1)
    if not cell >> bit & 1:
        raise LookupError("no position has this key")
    return (cell >> CELL_KEYS) + count_bits(cell & ((1 << bit) - 1))


@rule
def count_bits(bits: int) -> int:
    """The number of ones among 32 bits."""
    bits = bits - (bits >> 1 & 0x55555555)
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F
    return (bits * 0x01010101 >> 24) & 0xFF


@rule
def write_in_cells(table: KeyCells, values: Any, layer: Any, worths: Any) -> None:
    """Write the values of some keys at their places."""
    for place in range(layer.size):
        values[find_in_cells(table, layer[place])] = worths[place]
