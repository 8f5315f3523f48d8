"""Pig: roll as often as you dare; a 1 loses what the turn has brought.

Hold adds it to your points. Who has as many as agreed wins.
"""

import sys
from enum import IntEnum
from typing import Annotated, NamedTuple

from evenodds.rules import NOTHING, Game, Outcome, Pair, Seat, Whole, Words, hand, other, rule


class Rulings(NamedTuple):
    goal: Annotated[int, Whole(2, 100, "the points that win")] = 20
    sides: Annotated[int, Whole(2, 20, "the sides of the die")] = 6


class State(NamedTuple):
    rulings: Rulings
    points: Pair
    brought: int  # by this turn
    turn: Seat
    rolling: bool  # the die


Ending = IntEnum("Ending", "OPEN GOAL", start=0)


@rule
def start(rulings):
    return State(rulings, (0, 0), 0, 0, False)


@rule
def chance(state):
    return hand(state.rulings.sides) if state.rolling else NOTHING


@rule
def legal(state, seat):
    if state.rolling or seat != state.turn:
        return NOTHING
    return hand(2) if state.brought else hand(1)


@rule
def step(state, picks):
    rulings, points, seat = state.rulings, state.points, state.turn
    if state.rolling and picks[0] == 1:
        return State(rulings, points, 0, other(seat), False)
    if state.rolling:
        return State(rulings, points, min(state.brought + picks[0], rulings.goal), seat, False)
    if picks[seat] == 1:  # roll
        return State(rulings, points, state.brought, seat, True)
    own = min(points[seat] + state.brought, rulings.goal)
    points = (own, points[1]) if seat == 0 else (points[0], own)
    return State(rulings, points, 0, other(seat), False)


@rule
def ending(state):
    most = max(state.points[0], state.points[1])
    return Ending.GOAL if most == state.rulings.goal else Ending.OPEN


@rule
def outcome(state):
    if state.points[0] == state.rulings.goal:
        return Outcome.FIRST_WINS
    return Outcome.SECOND_WINS if state.points[1] == state.rulings.goal else Outcome.ONGOING


class Speech(Words):
    def pick_name(self, rulings, seat, number):
        return ("roll", "hold")[number - 1]

    def drawn(self, state, number, names):
        return f"The die shows {number}."


about = {"title": "Pig", "summary": "Roll or hold.", "loops": True, "words": Speech()}
GAME = Game.of(sys.modules[__name__], name="pig", **about)
