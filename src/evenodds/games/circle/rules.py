"""Number Circle Duel: claim a number next to the last one; whoever cannot, loses."""

from enum import IntEnum
from typing import Annotated, NamedTuple

from evenodds.rulings import Whole
from evenodds.vocabulary import (
    FIRST,
    NOTHING,
    Moves,
    Outcome,
    Pair,
    Seat,
    hand,
    other,
    rule,
    without,
)


class Rulings(NamedTuple):
    """What players may change."""

    numbers: Annotated[int, Whole(1, 24, "the size of the ring")] = 10
    reach: Annotated[
        int, Whole(1, 3, "how many places around the ring a pick may lie from the last one")
    ] = 1


class State(NamedTuple):
    """The unclaimed numbers, the number claimed last (0 before the first), and whose turn it is."""

    rulings: Rulings
    free: Moves
    last: int
    turn: Seat


class Ending(IntEnum):
    """What ended the game."""

    OPEN = 0
    STUCK = 1


@rule
def start(rulings: Rulings) -> State:
    """A whole ring, and the first seat to begin."""
    return State(rulings, hand(rulings.numbers), 0, FIRST)


@rule
def around(rulings: Rulings, number: int) -> Moves:
    """The numbers within reach of a number, claimed or not; gaps never close up."""
    near = 0
    for distance in range(1, rulings.reach + 1):
        near |= 1 << ((number - 1 + distance) % rulings.numbers + 1)
        near |= 1 << ((number - 1 - distance) % rulings.numbers + 1)
    return near


@rule
def open_numbers(state: State) -> Moves:
    """What the player to move may claim: at first anything, then what is free within reach."""
    if state.last == 0:
        return state.free
    return state.free & around(state.rulings, state.last)


@rule
def legal(state: State, seat: Seat) -> Moves:
    """The open numbers for the player to move; nothing to decide for the other."""
    return open_numbers(state) if seat == state.turn else NOTHING


@rule
def step(state: State, picks: Pair) -> State:
    """The number is claimed for good, and the turn passes."""
    number = picks[state.turn]
    return State(state.rulings, without(state.free, number), number, other(state.turn))


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
