"""Undercut: both score what they pick, unless the other has picked just one less."""

from enum import IntEnum
from typing import Annotated, NamedTuple

from evenodds.rulings import OneOf, Whole
from evenodds.vocabulary import FIRST, SECOND, SEATS, Hands, Moves, Outcome, Pair, Seat, decided, hand, other, rule, without

BOTH = 0


class Rulings(NamedTuple):
    """What players may change."""

    numbers: Annotated[int, Whole(2, 9, "the highest number")] = 5
    target: Annotated[int, Whole(1, 60, "the points that win")] = 20
    last: Annotated[int, Whole(0, "numbers - 1", "a number nobody may begin with, or 0")] = 0
    prize: Annotated[
        int,
        OneOf(
            "what undercutting wins",
            {"both": "both numbers", "own": "the lower number alone"},
        ),
    ] = BOTH


class State(NamedTuple):
    """Hands are the same all the time, after the first round."""

    rulings: Rulings
    hands: Hands
    points: Pair
    begun: bool


class Ending(IntEnum):
    """What ended the game."""

    OPEN = 0
    TARGET = 1
    TOGETHER = 2


@rule
def start(rulings: Rulings) -> State:
    """Nobody has anything yet."""
    full = hand(rulings.numbers)
    if rulings.last > 0:
        full = without(full, rulings.last)
    return State(rulings, (full, full), (0, 0), False)


@rule
def legal(state: State, seat: Seat) -> Moves:
    """Any number in the hand."""
    return state.hands[seat]


@rule
def gain(rulings: Rulings, own: int, others: int) -> int:
    """What a seat scores in a round."""
    if others == own - 1:
        return 0
    if own == others - 1 and rulings.prize == BOTH:
        return own + others
    return own


@rule
def step(state: State, picks: Pair) -> State:
    """Both score at once."""
    full = hand(state.rulings.numbers)
    return State(
        state.rulings,
        (full, full),
        (
            state.points[FIRST] + gain(state.rulings, picks[FIRST], picks[SECOND]),
            state.points[SECOND] + gain(state.rulings, picks[SECOND], picks[FIRST]),
        ),
        True,
    )


@rule
def ending(state: State) -> Ending:
    """Somebody has reached the target, or both with as much."""
    if max(state.points[FIRST], state.points[SECOND]) < state.rulings.target:
        return Ending.OPEN
    return Ending.TOGETHER if state.points[FIRST] == state.points[SECOND] else Ending.TARGET


@rule
def outcome(state: State) -> Outcome:
    """Whoever has more."""
    if ending(state) == Ending.OPEN:
        return Outcome.ONGOING
    return decided(state.points[FIRST] - state.points[SECOND])


@rule
def mirror(state: State) -> State:
    """The same position with the seats exchanged."""
    return State(
        state.rulings,
        (state.hands[other(FIRST)], state.hands[other(SECOND)]),
        (state.points[SECOND], state.points[FIRST]),
        state.begun,
    )


def leader(state: State) -> Seat:
    """Who has more, or the first."""
    return max(SEATS, key=lambda seat: state.points[seat])
