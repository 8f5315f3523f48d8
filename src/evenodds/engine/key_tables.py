"""Kernels over tables of position keys, the same for all games.

They are hash tables: open addressing with linear probing; their size is a power of two.
"""

from typing import Any

from evenodds.core.vocabulary import rule
from evenodds.engine.game_functions import kernel

EMPTY_SLOT = -1
"""An empty slot of a hash table."""


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
