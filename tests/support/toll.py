"""A game whose figures fit in the head: a toll, then a safe loss or a draw of chance.

The second seat pays 1 or 2 units to the first. That loses 1 more, or chance draws: three times in
four it wins 4, else it loses 4. So it is worth 2 to draw, and the start is worth 3.
"""

import sys
from enum import IntEnum
from typing import Annotated, Any, NamedTuple

from evenodds.core.game import Game
from evenodds.core.rulings import Whole
from evenodds.core.vocabulary import NOTHING, Outcome, hand, rule

LOSE, DRAW = 1, 2
WON, LOST = 1, 2


class Rulings(NamedTuple):
    """What is played for."""

    unit: Annotated[int, Whole(1, 100, "the points of a unit")] = 1


class State(NamedTuple):
    """Whether the second is to pay, the first to dare, chance to draw, or all is over."""

    rulings: Rulings
    place: int


Ending = IntEnum("Ending", "OPEN PAID", start=0)


@rule
def start(rulings: Any) -> State:
    return State(rulings, 0)


@rule
def chance(state: Any) -> int:
    return hand(2) if state.place == 2 else NOTHING


@rule
def weight(state: Any, number: int) -> int:
    return 3 if number == WON else 1


@rule
def legal(state: Any, seat: int) -> int:
    return hand(2) if state.place == 1 - seat else NOTHING


@rule
def reward(state: Any, picks: Any) -> int:
    if state.place == 0:
        return int(state.rulings.unit * picks[1])
    if state.place == 1:
        return int(-state.rulings.unit) if picks[0] == LOSE else 0
    return int(state.rulings.unit) * (4 if picks[0] == WON else -4)


@rule
def step(state: Any, picks: Any) -> State:
    return State(state.rulings, 3 if state.place == 1 and picks[0] == LOSE else state.place + 1)


@rule
def ending(state: Any) -> Ending:
    return Ending.PAID if state.place == 3 else Ending.OPEN


@rule
def outcome(state: Any) -> Outcome:
    return Outcome.DRAW if state.place == 3 else Outcome.ONGOING


TOLL = Game.of(sys.modules[__name__], name="toll", title="Toll", summary="Pay, then dare.")
