"""Goofspiel: both bid a card for each prize; the higher bid takes it, equal bids throw it away."""

import sys
from enum import IntEnum
from typing import Annotated, NamedTuple

from evenodds.core.game import Game
from evenodds.core.rulings import Choice, Whole
from evenodds.core.vocabulary import (
    NOTHING,
    Hands,
    Lead,
    Moves,
    Outcome,
    decided,
    exchange,
    hand,
    rule,
    without,
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
    """Hands, prizes to come, the prize on the table (0: none yet), and the lead if it decides."""

    rulings: Rulings
    hands: Hands
    prizes: Moves
    prize: int
    lead: Lead


Ending = IntEnum("Ending", "OPEN HANDS_EMPTY", start=0)


@rule
def start(rulings):
    full = hand(rulings.cards)
    return State(rulings, (full, full), full, 0, 0)


@rule
def chance(state):
    """Which prizes may come next: one alone where they come in order."""
    if state.prize:
        return NOTHING
    shuffled = state.rulings.order == Order.CHANCE
    return state.prizes if shuffled else state.prizes & -state.prizes


@rule
def legal(state, seat):
    return state.hands[seat] if state.prize else NOTHING


@rule
def gain(state, picks):
    return state.prize * ((picks[0] > picks[1]) - (picks[0] < picks[1])) if state.prize else 0


@rule
def reward(state, picks):
    return gain(state, picks) if state.rulings.score == Score.POINTS else 0


@rule
def step(state, picks):
    rulings, hands = state.rulings, state.hands
    if state.prize == 0:
        left = without(state.prizes, picks[0])
        return State(rulings, hands, left, picks[0], state.lead)
    left = without(hands[0], picks[0]), without(hands[1], picks[1])
    lead = state.lead + (gain(state, picks) if rulings.score == Score.WIN else 0)
    return State(rulings, left, state.prizes, 0, lead)


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


mirror = exchange(State)

GAME = Game.of(
    sys.modules[__name__], name="goofspiel", title="Goofspiel", summary="Bid cards for prizes."
)
