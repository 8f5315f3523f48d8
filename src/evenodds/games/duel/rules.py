"""Number Duel: the higher number strikes the other player; equal numbers hurt both."""

from enum import IntEnum
from typing import Annotated, NamedTuple

from evenodds.core.rulings import Choice, Whole
from evenodds.core.vocabulary import (
    FIRST,
    SECOND,
    Moves,
    Outcome,
    Pair,
    Seat,
    decided,
    exchange,
    hand,
    rule,
)


class Knockout(Choice):
    """When both fall in the same round."""

    HIGHER = "the player with more health wins, counted below zero; equal health is a draw"
    DRAW = "the game is a draw"


OVERREACH = (
    "how far a number may exceed the opponent's before it hits its own player; 0 sets no limit, as "
    "in the rule book"
)


class Rulings(NamedTuple):
    """The rulings of the game, with their defaults."""

    hp: Annotated[int, Whole(1, 100, "the health each player starts with")] = 10
    numbers: Annotated[int, Whole(1, 9, "the highest number")] = 3
    knockout: Knockout = Knockout.HIGHER
    overreach: Annotated[int, Whole(0, "numbers - 1", OVERREACH)] = 0


class State(NamedTuple):
    """The health of both players, counted below zero when they fall."""

    rulings: Rulings
    health: Pair


Ending = IntEnum("Ending", "OPEN KNOCKOUT DOUBLE_KNOCKOUT", start=0)
"""What ended the game."""


@rule
def start(rulings: Rulings) -> State:
    """Both players in full health."""
    return State(rulings, (rulings.hp, rulings.hp))


@rule
def legal(state: State, seat: Seat) -> Moves:
    """Every number, every round."""
    return hand(state.rulings.numbers)


@rule
def overreaches(rulings: Rulings, picks: Pair) -> bool:
    """Whether the higher number swings back: it is too far above the other."""
    return rulings.overreach != 0 and abs(picks[FIRST] - picks[SECOND]) > rulings.overreach


@rule
def damage(rulings: Rulings, picks: Pair) -> Pair:
    """What each seat loses: the lower number the value of the higher, equal numbers both.

    A number that reaches too far costs its own player that much instead.
    """
    first = picks[SECOND] if picks[SECOND] >= picks[FIRST] else 0
    second = picks[FIRST] if picks[FIRST] >= picks[SECOND] else 0
    return (second, first) if overreaches(rulings, picks) else (first, second)


@rule
def step(state: State, picks: Pair) -> State:
    """Both blows land at once."""
    lost = damage(state.rulings, picks)
    return State(
        state.rulings, (state.health[FIRST] - lost[FIRST], state.health[SECOND] - lost[SECOND])
    )


@rule
def ending(state: State) -> Ending:
    """One player has fallen, or both in the same round."""
    if max(state.health[FIRST], state.health[SECOND]) <= 0:
        return Ending.DOUBLE_KNOCKOUT
    if min(state.health[FIRST], state.health[SECOND]) <= 0:
        return Ending.KNOCKOUT
    return Ending.OPEN


@rule
def outcome(state: State) -> Outcome:
    """Whoever stands wins; when both have fallen the ruling decides."""
    end = ending(state)
    if end == Ending.OPEN:
        return Outcome.ONGOING
    if end == Ending.DOUBLE_KNOCKOUT and state.rulings.knockout != Knockout.HIGHER:
        return Outcome.DRAW
    return decided(state.health[FIRST] - state.health[SECOND])


mirror = exchange(State)


def longest(rulings: Rulings) -> int:
    """Every round costs two points of health or more, and the last may cost both their last."""
    return rulings.hp
