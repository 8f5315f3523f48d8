"""Random numbers and picks by them: an independent xorshift stream per match.

All arithmetic stays within 63 bits: Python integers do not overflow and compiled ones would, so
only then are the numbers the same interpreted and compiled.
"""

from typing import Any

import numpy as np

from evenodds.core.vocabulary import FIRST, Moves, Seat, rule
from evenodds.engine.game_functions import pack, pick_function
from evenodds.engine.key_tables import find

RANDOM_STATE_MASK = 0x3FFFFFFFFFFFFFFF
LOW_HALF_MASK = 0x7FFFFFFF
PICK_RANDOM_BITS = 31
"""Bits of the random number that a seat gets for a pick: half of what is drawn for a round."""
SUBSET_BITS = 11
"""Bits of a set of picks that one table lookup covers: most sets fit."""
SUBSET_MASK = (1 << SUBSET_BITS) - 1
SUBSET_COUNT_SHIFT = 4 * SUBSET_BITS


def _packed_members(part: Moves) -> int:
    """The numbers of a small set in ascending order, four bits each, and above them how many."""
    numbers = [number for number in range(SUBSET_BITS) if part >> number & 1]
    places = sum(number << 4 * place for place, number in enumerate(numbers))
    return len(numbers) << SUBSET_COUNT_SHIFT | places


SUBSET_MEMBERS = np.array([_packed_members(part) for part in range(1 << SUBSET_BITS)], np.int64)
"""The members of every small set, so that sampling one needs no branch to mispredict."""


@rule
def mix_bits(random: int) -> int:
    """A hash of 62 bits: both halves multiplied and folded together."""
    mixed = (random & LOW_HALF_MASK) * 0x5BD1E995 + (random >> 31) * 0x1B873593
    return (mixed ^ (mixed >> 29)) & RANDOM_STATE_MASK


@rule
def stream(seed: int, match: Any) -> Any:
    """The initial state of a match's stream; never 0, which xorshift would not leave.

    `match` may be an array of them.
    """
    # Seeds and matches are mixed in halves of 31 bits, so that no product exceeds 62 bits.
    random = mix_bits(mix_bits((seed & LOW_HALF_MASK) + 0x9E3779B9) ^ (seed >> 31))
    random = mix_bits(random ^ (match & LOW_HALF_MASK) * 0x2545F491)
    return mix_bits(random ^ (match >> 31)) | 1


@rule
def next_random(random: int) -> int:
    """The next number and state of a stream: xorshift on 62 bits."""
    # Marsaglia's shifts 13, 7, 17; bits are masked before a left shift, so that none overflows.
    random ^= (random & (RANDOM_STATE_MASK >> 13)) << 13
    random ^= random >> 7
    random ^= (random & (RANDOM_STATE_MASK >> 17)) << 17
    return random & RANDOM_STATE_MASK


@rule
def half_of(random: int, seat: Seat) -> int:
    """The half of a random number by which a seat picks: 31 bits."""
    return random >> PICK_RANDOM_BITS if seat == FIRST else random & LOW_HALF_MASK


@rule
def random_member(moves: Moves, random: int) -> int:
    """A member of a set of picks, each with the same probability, by a random number of 31 bits."""
    spelled = SUBSET_MEMBERS[moves & SUBSET_MASK]
    if moves <= SUBSET_MASK:
        # Multiply and shift instead of a remainder: faster, and the bias is below 63 / 2**31.
        place = random * (spelled >> SUBSET_COUNT_SHIFT) >> PICK_RANDOM_BITS
        return int(spelled >> 4 * place & 15)
    count = 0
    rest = moves
    while rest:
        count += SUBSET_MEMBERS[rest & SUBSET_MASK] >> SUBSET_COUNT_SHIFT
        rest >>= SUBSET_BITS
    place = random * count >> PICK_RANDOM_BITS
    number = 0
    while place >= spelled >> SUBSET_COUNT_SHIFT:
        place -= spelled >> SUBSET_COUNT_SHIFT
        moves >>= SUBSET_BITS
        number += SUBSET_BITS
        spelled = SUBSET_MEMBERS[moves & SUBSET_MASK]
    return int(number + (spelled >> 4 * place & 15))


@rule
def uniform(state: Any, seat: Seat, moves: Moves, random: int) -> int:
    """Every number open to the seat with the same probability."""
    return random_member(moves, random)


@rule
def pick_by_function(state: Any, seat: Seat, moves: Moves, random: int, mixes: Any) -> int:
    """The pick of a pick function; the mixes are not used."""
    pick: int = pick_function(state, seat, moves, random)
    return pick


@rule
def pick_by_table(state: Any, seat: Seat, moves: Moves, random: int, mixes: Any) -> int:
    """A pick sampled from a table: the first number whose cumulative share exceeds `random`."""
    layout, keys, places, sums = mixes
    line = sums[places[find(keys, pack(state, layout))]]
    number = 0
    while line[number] <= random:
        number += 1
    return number


@rule
def are_legal(own: Moves, theirs: Moves, first: int, second: int) -> bool:
    """Whether any numbers are legal; a shift by less than 0 or more than 63 is undefined."""
    return (first | second) >> 6 == 0 and own >> first & theirs >> second & 1 == 1
