"""Number Clash, first to three: the higher number wins, unless the lower is exactly one less."""

from enum import IntEnum
from math import comb
from typing import Annotated, NamedTuple

from evenodds.core.rulings import Choice, Whole
from evenodds.core.vocabulary import (
    FIRST,
    SECOND,
    Hands,
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


class Exhausted(Choice):
    """When the hands run out before anyone has the target."""

    SCORE = "more points win and equal points are a draw"
    DRAW = "the game is a draw"


GAP = "the lower number wins when it is exactly this much lower; 0 turns this off"


class Rulings(NamedTuple):
    """The rulings of the game, with their defaults."""

    numbers: Annotated[int, Whole(2, 20, "the size of each hand")] = 10
    target: Annotated[int, Whole(1, "numbers", "the points that win at once")] = 3
    gap: Annotated[int, Whole(0, "numbers - 1", GAP)] = 1
    exhausted: Exhausted = Exhausted.SCORE


class State(NamedTuple):
    """The numbers still in each hand, and the rounds won."""

    rulings: Rulings
    hands: Hands
    scores: Pair


Ending = IntEnum("Ending", "OPEN TARGET HANDS_EMPTY", start=0)
"""What ended the game."""


@rule
def start(rulings: Rulings) -> State:
    """Full hands, no points."""
    full = hand(rulings.numbers)
    return State(rulings, (full, full), (0, 0))


@rule
def legal(state: State, seat: Seat) -> Moves:
    """Any number still in the hand."""
    return state.hands[seat]


@rule
def is_underdog(rulings: Rulings, picks: Pair) -> bool:
    """Whether the lower number wins: it is exactly the gap below the higher one."""
    return picks[FIRST] != picks[SECOND] and abs(picks[FIRST] - picks[SECOND]) == rulings.gap


@rule
def round_lead(rulings: Rulings, picks: Pair) -> int:
    """Who wins a round: above 0 the first seat, below 0 the second, 0 neither."""
    lead = picks[FIRST] - picks[SECOND]
    return -lead if is_underdog(rulings, picks) else lead


@rule
def step(state: State, picks: Pair) -> State:
    """The winner of the round gets a point, and both numbers are gone."""
    lead = round_lead(state.rulings, picks)
    return State(
        state.rulings,
        (without(state.hands[FIRST], picks[FIRST]), without(state.hands[SECOND], picks[SECOND])),
        (state.scores[FIRST] + (lead > 0), state.scores[SECOND] + (lead < 0)),
    )


@rule
def ending(state: State) -> Ending:
    """The target, or else empty hands."""
    if max(state.scores[FIRST], state.scores[SECOND]) >= state.rulings.target:
        return Ending.TARGET
    if state.hands[FIRST] == 0:
        return Ending.HANDS_EMPTY
    return Ending.OPEN


@rule
def outcome(state: State) -> Outcome:
    """Whoever reaches the target wins; with empty hands the ruling decides."""
    end = ending(state)
    if end == Ending.OPEN:
        return Outcome.ONGOING
    if end == Ending.HANDS_EMPTY and state.rulings.exhausted != Exhausted.SCORE:
        return Outcome.DRAW
    return decided(state.scores[FIRST] - state.scores[SECOND])


mirror = exchange(State)


def longest(rulings: Rulings) -> int:
    """A round for each number in a hand: with ties it comes to that."""
    return rulings.numbers


def bound(rulings: Rulings) -> int:
    """Pairs of hands and scores: every round that neither seat has won was a tie.

    After so many ties the spent numbers have at least that many in common.
    """
    size, points = rulings.numbers, range(rulings.target)
    return sum(
        comb(size, common) * comb(size - common, spent) * comb(size - common - spent, spent)
        for rounds in range(size)
        for first in points
        for second in points
        for common in range(max(0, rounds - first - second), rounds + 1)
        if first + second <= rounds
        for spent in (rounds - common,)
    )
