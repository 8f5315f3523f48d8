"""Chance for bulk play: a stream of numbers for each match, the same on any number of cores.

All arithmetic stays within 63 bits, so that it means the same compiled and interpreted.
"""

from evenodds.vocabulary import Moves, rule

BITS = 0x3FFFFFFFFFFFFFFF


@rule
def stirred(chance: int) -> int:
    """Bits well mixed: both halves multiplied and folded into each other."""
    mixed = (chance & 0x7FFFFFFF) * 0x5BD1E995 + (chance >> 31) * 0x1B873593
    return (mixed ^ (mixed >> 29)) & BITS


@rule
def stream(seed: int, match: int) -> int:
    """Where the numbers of a match begin; seeds and matches next to each other share nothing."""
    chance = stirred((match & 0xFFFFFFFF) * 0x2545F491 + 0x9E3779B9)
    chance = stirred(chance ^ (match >> 32))
    chance = stirred(chance ^ (seed & 0x7FFFFFFF))
    return stirred(chance ^ (seed >> 31)) | 1


@rule
def drawn(chance: int) -> int:
    """The next number of a stream: xorshift, on 62 bits."""
    chance ^= (chance & (BITS >> 13)) << 13
    chance ^= chance >> 7
    chance ^= (chance & (BITS >> 17)) << 17
    return chance & BITS


@rule
def any_of(moves: Moves, chance: int) -> int:
    """One of a set of numbers, each with the same chance."""
    count = 0
    rest = moves
    while rest:
        rest &= rest - 1
        count += 1
    place = ((chance >> 24) & 0xFFFFFFFF) * count >> 32
    for _ in range(place):
        moves &= moves - 1
    number = 0
    while not moves >> number & 1:
        number += 1
    return number
