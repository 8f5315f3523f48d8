"""Kernel for playouts: many random matches between two pick functions.

A way of picking is a rule of its own: from the position, the seat, the numbers open to it and a
random number of 31 bits to a pick. The loops are written against names that `compile.py` fills in:
`start`, `legal`, `step`, `outcome`, `ending` and `pack` of the game, `first_pick` and `second_pick`
with the `way` behind them, and after how many repetitions a match is drawn.
"""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821

from typing import Any

from evenodds.core.vocabulary import NOTHING, PASS, Moves, Outcome, Seat, rule
from evenodds.kernels.rng import LOW_HALF_MASK, PICK_RANDOM_BITS, any_of, drawn, stream
from evenodds.kernels.solve import ONGOING, find

ILLEGAL_PICK_ROUNDS = -1
"""In place of the rounds of a match in which a pick was not open."""
DRAWN = int(Outcome.DRAW)


@rule
def uniform(state: Any, seat: Seat, moves: Moves, chance: int) -> int:
    """Every number open to the seat with the same chance."""
    return any_of(moves, chance)


@rule
def by_way(state: Any, seat: Seat, moves: Moves, chance: int, mixes: Any) -> int:
    """A pick by a function."""
    pick: int = way(state, seat, moves, chance)
    return pick


@rule
def by_mixes(state: Any, seat: Seat, moves: Moves, chance: int, mixes: Any) -> int:
    """A pick from a table of mixes: the first number whose share, added up, is above the chance."""
    layout, keys, places, sums = mixes
    line = sums[places[find(keys, pack(state, layout))]]
    number = 0
    while line[number] <= chance:
        number += 1
    return number


@rule
def times_seen(seen: Any, state: Any) -> int:
    """How often a position has come up."""
    count = 0
    for earlier in seen:
        if earlier == state:
            count += 1
    return count


@rule
def are_open(own: Moves, theirs: Moves, first: int, second: int) -> bool:
    """Whether both picks are among the moves; what is below 0 or above 63 is not."""
    return (first | second) >> 6 == 0 and own >> first & theirs >> second & 1 == 1


@rule
def play_out(
    rulings: Any, seed: int, match: int, longest: int, mixes: Any
) -> tuple[Any, int, bool]:
    """One match: the last position, the rounds it took, and whether it ended by repetition."""
    chance = stream(seed, match)
    state = start(rulings)
    if REPETITION:
        seen = [state]
    rounds = 0
    while rounds < longest and outcome(state) == ONGOING:
        chance = drawn(chance)
        own, theirs = legal(state, 0), legal(state, 1)
        first = second = PASS
        if own != NOTHING:
            first = first_pick(state, 0, own, chance >> PICK_RANDOM_BITS, mixes[0])
        if theirs != NOTHING:
            second = second_pick(state, 1, theirs, chance & LOW_HALF_MASK, mixes[1])
        if not are_open(own, theirs, first, second):
            return state, ILLEGAL_PICK_ROUNDS, False
        state = step(state, (first, second))
        rounds += 1
        if REPETITION:
            seen.append(state)
            if outcome(state) == ONGOING and times_seen(seen, state) >= REPETITION:
                return state, rounds, True
    return state, rounds, False


@rule
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

    Outcomes are counted from a win of the second seat on; the last place is for what was cut off.
    The last ending is repetition. The answer is a match in which a pick was not open, or the end.
    """
    for match in range(begin, end):
        state, rounds, repeated = play_out(rulings, seed, match, lengths.size - 1, mixes)
        if rounds == ILLEGAL_PICK_ROUNDS:
            return match
        outcomes[1 + (DRAWN if repeated else outcome(state) + 0)] += 1
        endings[endings.size - 1 if repeated else ending(state) + 0] += 1
        lengths[rounds] += 1
    return end
