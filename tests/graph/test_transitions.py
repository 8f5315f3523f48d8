"""The order of positions in a game of turns in which lines of play of different length meet."""

from enum import IntEnum
from functools import cache
from typing import NamedTuple

import pytest

import evenodds
from evenodds.core.game import Game
from evenodds.core.vocabulary import FIRST, NOTHING, SECOND, Moves, Outcome, Pair, Seat, rule
from evenodds.policy import Uniform, odds
from evenodds.study.metrics.size import game_size_of
from evenodds.study.solved.solved_game import SolvedGame


class Rulings(NamedTuple):
    """None."""


class State(NamedTuple):
    """What is left of the heap, and whose turn it is."""

    rulings: Rulings
    heap: int
    turn: int


class Ending(IntEnum):
    """How a match ends."""

    OPEN = 0
    TAKEN = 1


@rule
def start(rulings: Rulings) -> State:
    """Seven to take."""
    return State(rulings, 7, 0)


@rule
def legal(state: State, seat: Seat) -> Moves:
    """One or two, in turns."""
    if seat != state.turn:
        return NOTHING
    return 0b110 if state.heap > 1 else 0b10


@rule
def step(state: State, picks: Pair) -> State:
    """Taken, and the other's turn."""
    return State(state.rulings, state.heap - picks[state.turn], 1 - state.turn)


@rule
def ending(state: State) -> Ending:
    """When nothing is left."""
    return Ending.OPEN if state.heap else Ending.TAKEN


@rule
def outcome(state: State) -> Outcome:
    """Whoever takes the last one wins."""
    if state.heap:
        return Outcome.ONGOING
    return Outcome.SECOND_WINS if state.turn == 0 else Outcome.FIRST_WINS


NIM: Game[Rulings, State] = Game(
    name="nim",
    title="Nim",
    summary="Take one or two.",
    rulings=Rulings,
    start=start,
    legal=legal,
    step=step,
    outcome=outcome,
    ending=ending,
    simultaneous=False,
    longest=lambda _: 7,
)


@cache
def chance(heap: int) -> float:
    """How likely whoever is to move wins, when both pick at random."""
    if heap == 0:
        return 0.0
    takes = [1, 2] if heap > 1 else [1]
    return sum(1 - chance(heap - take) for take in takes) / len(takes)


@cache
def best(heap: int, own: bool) -> float:
    """How likely the best response to random picks wins; `own` is its turn."""
    if heap == 0:
        return 0.0 if own else 1.0
    found = [best(heap - take, not own) for take in ([1, 2] if heap > 1 else [1])]
    return max(found) if own else sum(found) / len(found)


@cache
def lines(heap: int) -> int:
    """How many lines of play there are."""
    return 1 if heap <= 1 else lines(heap - 1) + lines(heap - 2)


def test_positions_that_short_and_long_lines_lead_to_come_after_all_before_them() -> None:
    """So that one pass over the graph is exact: odds, best responses, lines, the longest match."""
    assert evenodds.solve(NIM).value(start(Rulings())) == 1  # 7 is no multiple of 3
    even = odds(NIM, Uniform(NIM), Uniform(NIM))
    assert even.first == pytest.approx(chance(7), abs=1e-12)
    for seat in (FIRST, SECOND):
        found = evenodds.best_response(NIM, Uniform(NIM), seat=seat)
        assert found.value == pytest.approx(2 * best(7, seat == FIRST) - 1, abs=1e-12)
    size = game_size_of(SolvedGame(NIM, Rulings(), keep=False))
    assert (size.lines, size.shortest, size.longest) == (lines(7), 4, 7)
