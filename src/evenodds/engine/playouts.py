"""Kernel for playouts: many random matches between two pick functions.

A pick function takes the position, the seat, the legal picks and a random number of 31 bits.
"""

from typing import Any

from evenodds.core.vocabulary import NOTHING, PASS, Moves, Outcome, Seat, rule
from evenodds.engine.game_functions import (
    ONGOING,
    REPETITION,
    ending,
    first_pick,
    kernel,
    legal,
    outcome,
    pack,
    pick_function,
    second_pick,
    start,
    step,
)
from evenodds.engine.key_tables import find
from evenodds.engine.random_streams import (
    LOW_HALF_MASK,
    PICK_RANDOM_BITS,
    next_random,
    random_member,
    stream,
)

ILLEGAL_PICK_ROUNDS = -1
"""Returned instead of the number of rounds after an illegal pick."""
DRAWN = int(Outcome.DRAW)


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
def count_occurrences(seen: Any, state: Any) -> int:
    """How often a position occurs among those seen."""
    count = 0
    for earlier in seen:
        if earlier == state:
            count += 1
    return count


@rule
def are_legal(own: Moves, theirs: Moves, first: int, second: int) -> bool:
    """Whether both picks are legal; a shift by less than 0 or more than 63 is undefined."""
    return (first | second) >> 6 == 0 and own >> first & theirs >> second & 1 == 1


@rule
def play_out(
    rulings: Any, seed: int, match: int, longest: int, mixes: Any
) -> tuple[Any, int, bool]:
    """One match: the last position, the rounds it took, and whether it ended by repetition."""
    random = stream(seed, match)
    state = start(rulings)
    if REPETITION:
        seen = [state]
    rounds = 0
    while rounds < longest and outcome(state) == ONGOING:
        random = next_random(random)
        own, theirs = legal(state, 0), legal(state, 1)
        first = second = PASS
        if own != NOTHING:
            first = first_pick(state, 0, own, random >> PICK_RANDOM_BITS, mixes[0])
        if theirs != NOTHING:
            second = second_pick(state, 1, theirs, random & LOW_HALF_MASK, mixes[1])
        if not are_legal(own, theirs, first, second):
            return state, ILLEGAL_PICK_ROUNDS, False
        state = step(state, (first, second))
        rounds += 1
        if REPETITION:
            seen.append(state)
            if outcome(state) == ONGOING and count_occurrences(seen, state) >= REPETITION:
                return state, rounds, True
    return state, rounds, False


@kernel
def simulate(
    rulings: Any,
    seed: int,
    begin: int,
    end: int,
    mixes: Any,
    outcomes: Any,
    endings: Any,
    lengths: Any,
) -> int:
    """Play matches and count how they end, by what, and after how many rounds.

    `outcomes` counts wins of the second seat, draws, wins of the first, and matches cut off. The
    last place of `endings` is repetition. Returns a match with an illegal pick, or `end`.
    """
    for match in range(begin, end):
        state, rounds, repeated = play_out(rulings, seed, match, lengths.size - 1, mixes)
        if rounds == ILLEGAL_PICK_ROUNDS:
            return match
        outcomes[1 + (DRAWN if repeated else outcome(state) + 0)] += 1
        endings[endings.size - 1 if repeated else ending(state) + 0] += 1
        lengths[rounds] += 1
    return end
