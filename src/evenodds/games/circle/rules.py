"""Number Circle Duel: claim a number next to the last one; whoever cannot, loses."""

from enum import IntEnum
from typing import Annotated, NamedTuple

from evenodds.core.rulings import Whole
from evenodds.core.vocabulary import (
    FIRST,
    NOTHING,
    SECOND,
    Moves,
    Outcome,
    Pair,
    Seat,
    hand,
    other,
    rule,
    without,
)

LEAPS = (
    "how many leaps each player has to free numbers that are out of reach; 0 as in the rule book"
)


class Rulings(NamedTuple):
    """The rulings of the game, with their defaults."""

    numbers: Annotated[int, Whole(1, 24, "the size of the ring")] = 10
    reach: Annotated[int, Whole(1, 3, "how many places a pick may lie from the last number")] = 1
    leaps: Annotated[int, Whole(0, 2, LEAPS)] = 0


class State(NamedTuple):
    """The unclaimed numbers, the last one claimed (0 before the first), the turn, leaps left."""

    rulings: Rulings
    free: Moves
    last: int
    turn: Seat
    leaps: Pair


Ending = IntEnum("Ending", "OPEN STUCK", start=0)
"""What ended the game."""


@rule
def start(rulings: Rulings) -> State:
    """A whole ring, and the first seat to begin."""
    return State(rulings, hand(rulings.numbers), 0, FIRST, (rulings.leaps, rulings.leaps))


@rule
def around(rulings: Rulings, number: int) -> Moves:
    """The numbers within reach of a number, claimed or not; gaps never close up."""
    near = 0
    for distance in range(1, rulings.reach + 1):
        near |= 1 << ((number - 1 + distance) % rulings.numbers + 1)
        near |= 1 << ((number - 1 - distance) % rulings.numbers + 1)
    return near


@rule
def within_reach(state: State) -> Moves:
    """What may be claimed without a leap: at first anything, then what is free within reach."""
    if state.last == 0:
        return state.free
    return state.free & around(state.rulings, state.last)


@rule
def open_numbers(state: State) -> Moves:
    """What the player to move may claim: what is within reach, or with a leap left all free."""
    return state.free if state.leaps[state.turn] > 0 else within_reach(state)


@rule
def legal(state: State, seat: Seat) -> Moves:
    """The open numbers for the player to move; nothing to decide for the other."""
    return open_numbers(state) if seat == state.turn else NOTHING


@rule
def leaps_after(state: State, number: int) -> Pair:
    """The leaps left to each seat: a number out of reach costs the player to move one."""
    cost = 1 - (within_reach(state) >> number & 1)
    if state.turn == FIRST:
        return (state.leaps[FIRST] - cost, state.leaps[SECOND])
    return (state.leaps[FIRST], state.leaps[SECOND] - cost)


@rule
def step(state: State, picks: Pair) -> State:
    """The number is claimed for good, and the turn passes."""
    number = picks[state.turn]
    free = without(state.free, number)
    return State(state.rulings, free, number, other(state.turn), leaps_after(state, number))


@rule
def ending(state: State) -> Ending:
    """A player to move with no open number is stuck."""
    return Ending.STUCK if open_numbers(state) == 0 else Ending.OPEN


@rule
def outcome(state: State) -> Outcome:
    """Whoever is stuck has lost."""
    if ending(state) == Ending.OPEN:
        return Outcome.ONGOING
    return Outcome.SECOND_WINS if state.turn == FIRST else Outcome.FIRST_WINS


def longest(rulings: Rulings) -> int:
    """A turn for each number: the ring can be walked around."""
    return rulings.numbers
