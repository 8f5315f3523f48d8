"""Inspection: a smuggler has some nights for one run, an inspector fewer inspections.

A run that is inspected wins for the inspector, any other for the smuggler; without one the match
is drawn. Here the seats differ, in what they have and in what their picks are called.
"""

import sys
from enum import IntEnum
from typing import Annotated, NamedTuple

from evenodds.rules import FIRST, Game, Outcome, Whole, Words, decided, rule

WAIT, ACT = 1, 2


class Rulings(NamedTuple):
    nights: Annotated[int, Whole(1, 20, "how many nights there are")] = 5
    inspections: Annotated[int, Whole(1, 20, "how many inspections")] = 2


class State(NamedTuple):
    """Nights and inspections left, and what has become of the run."""

    rulings: Rulings
    nights_left: int
    inspections_left: int
    caught: bool
    landed: bool


Ending = IntEnum("Ending", "OPEN CAUGHT LANDED DAWN", start=0)


@rule
def start(rulings):
    return State(rulings, rulings.nights, rulings.inspections, False, False)


@rule
def legal(state, seat):
    can_act = seat != FIRST or state.inspections_left > 0
    return 1 << WAIT | 1 << ACT if can_act else 1 << WAIT


@rule
def step(state, picks):
    inspects, runs = picks[0] == ACT, picks[1] == ACT
    left = state.inspections_left - inspects
    nights = state.nights_left - 1
    return State(state.rulings, nights, left, runs and inspects, runs and not inspects)


@rule
def ending(state):
    if state.caught or state.landed:
        return Ending.CAUGHT if state.caught else Ending.LANDED
    return Ending.OPEN if state.nights_left > 0 else Ending.DAWN


@rule
def outcome(state):
    return Outcome.ONGOING if ending(state) == Ending.OPEN else decided(state.caught - state.landed)


class Speech(Words):
    players = "Inspector", "Smuggler"

    def pick_name(self, rulings, seat, number):
        return ("wait", "inspect" if seat == FIRST else "run")[number - 1]


about = {"title": "Inspection", "summary": "A run by night.", "words": Speech()}
GAME = Game.of(sys.modules[__name__], name="inspection", **about)
