"""Goofspiel: both bid a card for each prize; the higher bid takes it, equal bids throw it away."""

import sys
from enum import IntEnum
from typing import Annotated, NamedTuple

from evenodds.rules import (
    NOTHING,
    Choice,
    Game,
    Hands,
    Lead,
    Moves,
    Outcome,
    Whole,
    decided,
    exchange,
    rule,
)


class Order(Choice):
    """How prizes come."""

    CHANCE = "shuffled"
    RISING = "from 1 up"


class Score(Choice):
    """What counts at the end."""

    WIN = "who has won more in prizes"
    POINTS = "by how much"


class Rulings(NamedTuple):
    cards: Annotated[int, Whole(2, 13, "how many cards each player has, and how many prizes")] = 5
    order: Order = Order.CHANCE
    score: Score = Score.WIN


class State(NamedTuple):
    rulings: Rulings
    hands: Hands
    prizes: Moves  # that are still to come
    prize: int  # on the table, or 0
    lead: Lead  # where who has won more decides


Ending = IntEnum("Ending", "OPEN HANDS_EMPTY", start=0)
mirror = exchange(State)


@rule
def start(rulings):
    full = (2 << rulings.cards) - 2
    return State(rulings, (full, full), full, 0, 0)


@rule
def chance(state):
    coming = -state.prizes if state.rulings.order == Order.RISING else state.prizes
    return NOTHING if state.prize else state.prizes & coming


@rule
def legal(state, seat):
    return state.hands[seat] if state.prize else NOTHING


@rule
def reward(state, picks):
    won = state.prize * ((picks[0] > picks[1]) - (picks[0] < picks[1]))
    return won if state.rulings.score == Score.POINTS else 0


@rule
def step(state, picks):
    if state.prize == 0:
        return State(state.rulings, state.hands, state.prizes ^ 1 << picks[0], picks[0], state.lead)
    won = state.prize * ((picks[0] > picks[1]) - (picks[0] < picks[1]))
    lead = state.lead + won * (state.rulings.score == Score.WIN)
    left = state.hands[0] ^ 1 << picks[0], state.hands[1] ^ 1 << picks[1]
    return State(state.rulings, left, state.prizes, 0, lead)


@rule
def ending(state):
    return Ending.OPEN if state.hands[0] > 0 else Ending.HANDS_EMPTY


@rule
def outcome(state):
    return Outcome.ONGOING if state.hands[0] > 0 else decided(state.lead)


@rule
def canonical(state):
    """Only the order of the cards in both hands matters: they are numbered anew from 1."""
    one, two, rank = 0, 0, 1
    for number in range(1, 14):
        if (state.hands[0] | state.hands[1]) >> number & 1:
            one |= (state.hands[0] >> number & 1) << rank
            two |= (state.hands[1] >> number & 1) << rank
            rank += 1
    return State(state.rulings, (one, two), state.prizes, state.prize, state.lead)


GAME = Game.of(
    sys.modules[__name__], name="goofspiel", title="Goofspiel", summary="Bid for prizes."
)
