"""Clash of Numbers: race to a target, and pull the other back with multiples and factors."""

from enum import IntEnum
from typing import Annotated, NamedTuple

from evenodds.core.rulings import Choice, Whole
from evenodds.core.vocabulary import (
    FIRST,
    NOTHING,
    SECOND,
    Moves,
    Outcome,
    Pair,
    Seat,
    decided,
    hand,
    other,
    rule,
    without,
)


class Finish(Choice):
    """When a player reaches the target."""

    AT_ONCE = "that player wins at once"
    ROUND = (
        "the second player finishes the round, and the higher score wins; if scores are equal, "
        "play goes on until one player is ahead"
    )


class Same(Choice):
    """What happens when your number equals the opponent's, which makes it a multiple and a
    factor.
    """  # noqa: D205

    ONCE = "subtract it once"
    TWICE = "subtract it once for each rule"


class Opening(Choice):
    """Which first turns are free of subtraction."""

    EXEMPT = "the first turn of each player"
    LIVE = "only the very first turn of the game"


class Echo(Choice):
    """Whether you may repeat your opponent's last number."""

    FREE = "you may, as in the rule book"
    BARRED = (
        "you may not, unless there is no other number or it is a first turn without subtraction"
    )


class Rulings(NamedTuple):
    """The rulings of the game, with their defaults."""

    target: Annotated[int, Whole(1, 1000, "the score that wins")] = 50
    numbers: Annotated[int, Whole(1, 30, "the highest number in the pool")] = 9
    finish: Finish = Finish.AT_ONCE
    same: Same = Same.ONCE
    opening: Opening = Opening.EXEMPT
    echo: Echo = Echo.FREE


class State(NamedTuple):
    """The scores, whose turn it is, the number a pick is held against, and extra time.

    `against` is the opponent's last number, or 0 where nothing is subtracted this turn. In
    `overtime` the scores were equal at or past the target, and the next player to lead wins.
    """

    rulings: Rulings
    scores: Pair
    turn: Seat
    against: int
    overtime: bool


Ending = IntEnum("Ending", "OPEN TARGET HIGHER_SCORE OVERTIME", start=0)
"""What ended the game."""


@rule
def start(rulings: Rulings) -> State:
    """No points, and nothing to hold the first pick against."""
    return State(rulings, (0, 0), FIRST, 0, False)


def bound(rulings: Rulings) -> int:
    """Pairs of scores below the target, with each number as the last one, for each seat's turn.

    A pool of one number takes back what it gives, and nobody gets beyond two scores.
    """
    scores = rulings.target if rulings.numbers > 1 else min(2, rulings.target)
    largest = rulings.numbers
    if rulings.finish == Finish.AT_ONCE:
        largest = min(largest, rulings.target - 1)
    held = largest * scores
    if rulings.finish == Finish.AT_ONCE and rulings.numbers > 1:
        held -= largest * (largest + 1) // 2  # whoever has just picked has that much at least
    return 2 * held * scores + 1


@rule
def legal(state: State, seat: Seat) -> Moves:
    """The whole pool for the player to move, where echoes are barred without the last number."""
    if seat != state.turn:
        return NOTHING
    pool = hand(state.rulings.numbers)
    return without(pool, state.against) if bars_echo(state) else pool


@rule
def bars_echo(state: State) -> bool:
    """Whether the number that this turn is held against may not be picked."""
    ruled = state.rulings.echo != Echo.FREE and state.rulings.numbers > 1
    return ruled and state.against != 0


@rule
def multiple_costs(state: State, number: int) -> int:
    """What a multiple of the opponent's last number takes from them: that number."""
    return state.against if state.against != 0 and number % state.against == 0 else 0


@rule
def factor_costs(state: State, number: int) -> int:
    """What a factor of the opponent's last number takes from them: the factor itself.

    An equal number is a multiple already; it counts as a factor too only where the ruling says
    twice.
    """
    if state.against == 0 or state.against % number != 0:
        return 0
    return 0 if number == state.against and state.rulings.same == Same.ONCE else number


@rule
def step(state: State, picks: Pair) -> State:
    """Add the number to the mover's score and take from the other's, not below zero."""
    mover = state.turn
    number = picks[mover]
    mine = state.scores[mover] + number
    theirs = state.scores[other(mover)]
    theirs = max(0, theirs - multiple_costs(state, number) - factor_costs(state, number))
    scores = (mine, theirs) if mover == FIRST else (theirs, mine)
    first_turn = mover == FIRST and state.against == 0
    against = 0 if first_turn and state.rulings.opening == Opening.EXEMPT else number
    level = scores[FIRST] == scores[SECOND] and mine >= state.rulings.target
    overtime = state.overtime or (mover == SECOND and level)
    return State(state.rulings, scores, other(mover), against, overtime)


@rule
def ending(state: State) -> Ending:
    """The target; or, where rounds are finished, the higher score at the end of the round."""
    target = state.rulings.target
    if max(state.scores[FIRST], state.scores[SECOND]) < target:
        return Ending.OPEN
    if state.rulings.finish == Finish.AT_ONCE:
        return Ending.TARGET
    if state.scores[FIRST] == state.scores[SECOND]:
        return Ending.OPEN
    if state.overtime:
        return Ending.OVERTIME
    if state.turn == SECOND:
        return Ending.OPEN
    both = min(state.scores[FIRST], state.scores[SECOND]) >= target
    return Ending.HIGHER_SCORE if both else Ending.TARGET


@rule
def outcome(state: State) -> Outcome:
    """Whoever has the higher score when the game ends."""
    if ending(state) == Ending.OPEN:
        return Outcome.ONGOING
    return decided(state.scores[FIRST] - state.scores[SECOND])
