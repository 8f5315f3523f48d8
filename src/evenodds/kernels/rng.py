"""Chance for bulk play: a stream of numbers for each match, the same on any number of cores.

All arithmetic stays within 63 bits, so that it means the same compiled and interpreted.
"""

import numpy as np

from evenodds.core.vocabulary import Moves, rule

BITS = 0x3FFFFFFFFFFFFFFF
LOW = 0x7FFFFFFF
HALF = 31
"""Bits of the random number that a seat gets for a pick: half of what is drawn for a round."""
WIDTH = 11
"""Bits of a set of numbers that are looked at at once: most hands fit."""
PART = (1 << WIDTH) - 1
COUNT = 4 * WIDTH


def _spelled(part: Moves) -> int:
    """The numbers of a small set in ascending order, four bits each, and above them how many."""
    numbers = [number for number in range(WIDTH) if part >> number & 1]
    places = sum(number << 4 * place for place, number in enumerate(numbers))
    return len(numbers) << COUNT | places


SPELLED = np.array([_spelled(part) for part in range(1 << WIDTH)], np.int64)
"""Every small set spelled out: a number is drawn from it without a branch to guess wrong."""


@rule
def stirred(chance: int) -> int:
    """Bits well mixed: both halves multiplied and folded into each other."""
    mixed = (chance & LOW) * 0x5BD1E995 + (chance >> 31) * 0x1B873593
    return (mixed ^ (mixed >> 29)) & BITS


@rule
def stream(seed: int, match: int) -> int:
    """Where the numbers of a match begin; seeds and matches next to each other share nothing."""
    chance = stirred(stirred((seed & LOW) + 0x9E3779B9) ^ (seed >> 31))
    chance = stirred(chance ^ (match & LOW) * 0x2545F491)
    return stirred(chance ^ (match >> 31)) | 1


@rule
def drawn(chance: int) -> int:
    """The next number of a stream: xorshift, on 62 bits."""
    chance ^= (chance & (BITS >> 13)) << 13
    chance ^= chance >> 7
    chance ^= (chance & (BITS >> 17)) << 17
    return chance & BITS


@rule
def any_of(moves: Moves, chance: int) -> int:
    """One of a set of numbers, each with the same chance, by a random number of 31 bits."""
    spelled = SPELLED[moves & PART]
    if moves <= PART:
        place = chance * (spelled >> COUNT) >> HALF
        return int(spelled >> 4 * place & 15)
    count = 0
    rest = moves
    while rest:
        count += SPELLED[rest & PART] >> COUNT
        rest >>= WIDTH
    place = chance * count >> HALF
    number = 0
    while place >= spelled >> COUNT:
        place -= spelled >> COUNT
        moves >>= WIDTH
        number += WIDTH
        spelled = SPELLED[moves & PART]
    return int(number + (spelled >> 4 * place & 15))
