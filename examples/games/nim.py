"""Nim: take any number from one of three heaps; who takes the last one wins."""

import sys
from enum import IntEnum
from typing import Annotated, NamedTuple

from evenodds.rules import NOTHING, Choice, Game, Outcome, Seat, Span, Whole, Words, other, rule

MOST = 15  # the largest heap: pick number MOST * heap + n takes n from a heap


class Last(Choice):
    """What the last one brings."""

    WINS = "whoever takes it wins"
    LOSES = "whoever takes it loses"


class Rulings(NamedTuple):
    first: Annotated[int, Whole(0, MOST, "the first heap")] = 3
    second: Annotated[int, Whole(0, MOST, "the second heap")] = 4
    third: Annotated[int, Whole(1, MOST, "the third heap")] = 5
    last: Last = Last.WINS


class State(NamedTuple):
    rulings: Rulings
    heaps: tuple[int, int, int]
    turn: Seat


Ending = IntEnum("Ending", "OPEN TAKEN", start=0)


@rule
def start(rulings):
    return State(rulings, (rulings.first, rulings.second, rulings.third), 0)


@rule
def legal(state, seat):
    moves = 0
    for heap in range(3):
        moves |= ((1 << state.heaps[heap]) - 1) << (MOST * heap + 1)
    return moves if seat == state.turn else NOTHING


@rule
def step(state, picks):
    pick, heaps = picks[state.turn] - 1, state.heaps
    heap, taken = pick // MOST, pick % MOST + 1
    one = heaps[0] - taken * (heap == 0)
    two = heaps[1] - taken * (heap == 1)
    return State(state.rulings, (one, two, heaps[2] - taken * (heap == 2)), other(state.turn))


@rule
def ending(state):
    return Ending.OPEN if state.heaps[0] + state.heaps[1] + state.heaps[2] > 0 else Ending.TAKEN


@rule
def outcome(state):
    if state.heaps[0] + state.heaps[1] + state.heaps[2] > 0:
        return Outcome.ONGOING
    wins = (state.turn == 1) == (state.rulings.last == Last.WINS)
    return Outcome.FIRST_WINS if wins else Outcome.SECOND_WINS


class Speech(Words):
    def pick_name(self, rulings, seat, number):
        return f"{(number - 1) % MOST + 1} from {'ABC'[(number - 1) // MOST]}"

    def board(self, state, names):
        heaps = [f"heap {name}: {left}" for name, left in zip("ABC", state.heaps, strict=True)]
        return [*([Span(heap)] for heap in heaps), *super().board(state, names)[1:]]


about = {"title": "Nim", "summary": "Take from a heap.", "words": Speech()}
GAME = Game.of(sys.modules[__name__], name="nim", **about)
