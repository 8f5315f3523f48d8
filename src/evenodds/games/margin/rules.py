"""Number Clash, five rounds: the higher number wins the round and scores the difference."""

from enum import IntEnum
from typing import Annotated, NamedTuple

from evenodds.core.rulings import Choice, Whole
from evenodds.core.vocabulary import (
    FIRST,
    SECOND,
    Hands,
    Lead,
    Moves,
    Outcome,
    Pair,
    Seat,
    decided,
    exchange,
    hand,
    rule,
    without,
)


class LastRound(Choice):
    """The second tie-breaker, "won the last round"."""

    FINAL = "the last round played; if that was a tie, the game is a draw"
    DECISIVE = "the last round that somebody won"


class Rulings(NamedTuple):
    """The rulings of the game, with their defaults."""

    numbers: Annotated[int, Whole(2, 12, "the size of each hand, and so the number of rounds")] = 5
    last_round: LastRound = LastRound.FINAL


class State(NamedTuple):
    """Hands, points, rounds won, and who leads in the round that counts last: 1, -1 or 0."""

    rulings: Rulings
    hands: Hands
    points: Pair
    wins: Pair
    last: Lead


Ending = IntEnum("Ending", "OPEN MORE_POINTS MORE_ROUNDS LAST_ROUND ALL_EQUAL", start=0)
"""What decided the game when the hands were empty."""


@rule
def start(rulings: Rulings) -> State:
    """Full hands, no points."""
    full = hand(rulings.numbers)
    return State(rulings, (full, full), (0, 0), (0, 0), 0)


@rule
def legal(state: State, seat: Seat) -> Moves:
    """Any unused number."""
    return state.hands[seat]


@rule
def sign(number: int) -> int:
    """Who a difference speaks for: 1 the first seat, -1 the second, 0 neither."""
    return (number > 0) - (number < 0)


@rule
def step(state: State, picks: Pair) -> State:
    """The higher number scores the difference; both numbers are gone."""
    lead = picks[FIRST] - picks[SECOND]
    keeps_last = lead == 0 and state.rulings.last_round != LastRound.FINAL
    return State(
        state.rulings,
        (without(state.hands[FIRST], picks[FIRST]), without(state.hands[SECOND], picks[SECOND])),
        (state.points[FIRST] + max(lead, 0), state.points[SECOND] + max(-lead, 0)),
        (state.wins[FIRST] + (lead > 0), state.wins[SECOND] + (lead < 0)),
        state.last if keeps_last else sign(lead),
    )


@rule
def ending(state: State) -> Ending:
    """Points first, then rounds won, then the last round."""
    if state.hands[FIRST] != 0:
        return Ending.OPEN
    if state.points[FIRST] != state.points[SECOND]:
        return Ending.MORE_POINTS
    if state.wins[FIRST] != state.wins[SECOND]:
        return Ending.MORE_ROUNDS
    if state.last != 0:
        return Ending.LAST_ROUND
    return Ending.ALL_EQUAL


@rule
def outcome(state: State) -> Outcome:
    """Whoever is ahead in what decides."""
    end = ending(state)
    if end == Ending.OPEN:
        return Outcome.ONGOING
    if end == Ending.MORE_POINTS:
        return decided(state.points[FIRST] - state.points[SECOND])
    if end == Ending.MORE_ROUNDS:
        return decided(state.wins[FIRST] - state.wins[SECOND])
    return decided(state.last)


mirror = exchange(State)


def longest(rulings: Rulings) -> int:
    """A round for each number in a hand."""
    return rulings.numbers
