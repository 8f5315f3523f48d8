"""Rock, paper, scissors, until one has won as many rounds as agreed."""

import sys
from enum import IntEnum
from typing import Annotated, NamedTuple

from evenodds.rules import Game, Outcome, Pair, Whole, Words, exchange, hand, rule


class Rulings(NamedTuple):
    wins: Annotated[int, Whole(1, 10, "the rounds to win")] = 3


class State(NamedTuple):
    """The rounds won."""

    rulings: Rulings
    won: Pair


Ending = IntEnum("Ending", "OPEN WON", start=0)


@rule
def start(rulings):
    return State(rulings, (0, 0))


@rule
def legal(state, seat):
    return hand(3)


@rule
def step(state, picks):
    ahead = (picks[0] - picks[1]) % 3  # 1 where the first wins, 2 where the second does
    one, two = state.won
    return State(state.rulings, (one + (ahead == 1), two + (ahead == 2)))


@rule
def ending(state):
    most = max(state.won[0], state.won[1])
    return Ending.WON if most == state.rulings.wins else Ending.OPEN


@rule
def outcome(state):
    if ending(state) == Ending.OPEN:
        return Outcome.ONGOING
    return Outcome.FIRST_WINS if state.won[0] > state.won[1] else Outcome.SECOND_WINS


mirror = exchange(State)


class Speech(Words):
    def pick_name(self, rulings, seat, number):
        return ("Rock", "Paper", "Scissors")[number - 1]


GAME = Game.of(
    sys.modules[__name__],
    words=Speech(),
    name="rock_paper_scissors",
    title="Rock, Paper, Scissors",
    summary="Win three rounds.",
    loops=True,
)
