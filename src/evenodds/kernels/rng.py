"""Random numbers: an independent xorshift stream per match, whatever the core count.

All arithmetic stays within 63 bits, so that it means the same compiled and interpreted.
"""

import numpy as np

from evenodds.core.vocabulary import Moves, rule

RANDOM_STATE_MASK = 0x3FFFFFFFFFFFFFFF
LOW_HALF_MASK = 0x7FFFFFFF
PICK_RANDOM_BITS = 31
"""Bits of the random number that a seat gets for a pick: half of what is drawn for a round."""
SUBSET_BITS = 11
"""Bits of a set of numbers that are looked at at once: most hands fit."""
SUBSET_MASK = (1 << SUBSET_BITS) - 1
SUBSET_COUNT_SHIFT = 4 * SUBSET_BITS


def _packed_members(part: Moves) -> int:
    """The numbers of a small set in ascending order, four bits each, and above them how many."""
    numbers = [number for number in range(SUBSET_BITS) if part >> number & 1]
    places = sum(number << 4 * place for place, number in enumerate(numbers))
    return len(numbers) << SUBSET_COUNT_SHIFT | places


SUBSET_MEMBERS = np.array([_packed_members(part) for part in range(1 << SUBSET_BITS)], np.int64)
"""Every small set spelled out: a number is drawn from it without a branch to guess wrong."""


@rule
def stirred(chance: int) -> int:
    """Bits well mixed: both halves multiplied and folded into each other."""
    mixed = (chance & LOW_HALF_MASK) * 0x5BD1E995 + (chance >> 31) * 0x1B873593
    return (mixed ^ (mixed >> 29)) & RANDOM_STATE_MASK


@rule
def stream(seed: int, match: int) -> int:
    """Where the numbers of a match begin; seeds and matches next to each other share nothing."""
    chance = stirred(stirred((seed & LOW_HALF_MASK) + 0x9E3779B9) ^ (seed >> 31))
    chance = stirred(chance ^ (match & LOW_HALF_MASK) * 0x2545F491)
    return stirred(chance ^ (match >> 31)) | 1


@rule
def drawn(chance: int) -> int:
    """The next number of a stream: xorshift, on 62 bits."""
    chance ^= (chance & (RANDOM_STATE_MASK >> 13)) << 13
    chance ^= chance >> 7
    chance ^= (chance & (RANDOM_STATE_MASK >> 17)) << 17
    return chance & RANDOM_STATE_MASK


@rule
def any_of(moves: Moves, chance: int) -> int:
    """One of a set of numbers, each with the same chance, by a random number of 31 bits."""
    spelled = SUBSET_MEMBERS[moves & SUBSET_MASK]
    if moves <= SUBSET_MASK:
        place = chance * (spelled >> SUBSET_COUNT_SHIFT) >> PICK_RANDOM_BITS
        return int(spelled >> 4 * place & 15)
    count = 0
    rest = moves
    while rest:
        count += SUBSET_MEMBERS[rest & SUBSET_MASK] >> SUBSET_COUNT_SHIFT
        rest >>= SUBSET_BITS
    place = chance * count >> PICK_RANDOM_BITS
    number = 0
    while place >= spelled >> SUBSET_COUNT_SHIFT:
        place -= spelled >> SUBSET_COUNT_SHIFT
        moves >>= SUBSET_BITS
        number += SUBSET_BITS
        spelled = SUBSET_MEMBERS[moves & SUBSET_MASK]
    return int(number + (spelled >> 4 * place & 15))
