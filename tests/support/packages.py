"""Games in packages of somebody's own, as `pip` would install them."""

import os
from pathlib import Path

from tests.support.paths import ROOT


def install(folder: Path, name: str, source: str, more: str = "") -> None:
    """Put a module of that name where Python looks, with its `GAME` as an entry point."""
    module = f"evenodds_{name}"
    (folder / f"{module}.py").write_text(source)
    about = folder / f"{module}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[evenodds.games]\n{name} = {module}:GAME\n{more}")


NIM = '''
"""Take one or two from a heap; whoever takes the last wins."""

from enum import IntEnum
from typing import Annotated, NamedTuple

from evenodds.rules import FIRST, NOTHING, Game, Outcome, Whole, rule


class Rulings(NamedTuple):
    heap: Annotated[int, Whole(1, 50, "how many there are at first")] = 7


class State(NamedTuple):
    rulings: Rulings
    heap: int
    turn: int


class Ending(IntEnum):
    OPEN = 0
    TAKEN = 1


@rule
def start(rulings):
    return State(rulings, rulings.heap, FIRST)


@rule
def legal(state, seat):
    if seat != state.turn:
        return NOTHING
    return 0b110 if state.heap > 1 else 0b10


@rule
def step(state, picks):
    return State(state.rulings, state.heap - picks[state.turn], 1 - state.turn)


@rule
def ending(state):
    return Ending.OPEN if state.heap else Ending.TAKEN


@rule
def outcome(state):
    if state.heap:
        return Outcome.ONGOING
    return Outcome.SECOND_WINS if state.turn == FIRST else Outcome.FIRST_WINS


GAME = Game("nim", "Nim", "Take one or two.", Rulings, start, legal, step, outcome, ending, False)
FALSE = GAME._replace(name="circle", title="A false circle")
NOBODY = "a word, not a game"
'''
"""A game of turns without loops, as the source of a package."""

GOOF = '''
"""Goofspiel: both bid a number for a prize; the higher takes it, on a tie nobody does."""

from enum import IntEnum
from typing import Annotated, NamedTuple

from evenodds.rules import FIRST, SECOND, Game, Hands, Outcome, Pair, Whole
from evenodds.rules import decided, hand, rule, without


class Rulings(NamedTuple):
    numbers: Annotated[int, Whole(1, 12, "how many numbers there are")] = 4


class State(NamedTuple):
    rulings: Rulings
    hands: Hands
    points: Pair
    prize: int


class Ending(IntEnum):
    OPEN = 0
    OVER = 1


@rule
def start(rulings):
    return State(rulings, (hand(rulings.numbers), hand(rulings.numbers)), (0, 0), rulings.numbers)


@rule
def legal(state, seat):
    return state.hands[seat]


@rule
def step(state, picks):
    first = picks[FIRST] > picks[SECOND]
    second = picks[SECOND] > picks[FIRST]
    return State(
        state.rulings,
        (without(state.hands[FIRST], picks[FIRST]), without(state.hands[SECOND], picks[SECOND])),
        (state.points[FIRST] + state.prize * first, state.points[SECOND] + state.prize * second),
        state.prize - 1,
    )


@rule
def ending(state):
    return Ending.OVER if state.prize == 0 else Ending.OPEN


@rule
def outcome(state):
    if state.prize > 0:
        return Outcome.ONGOING
    return decided(state.points[FIRST] - state.points[SECOND])


@rule
def mirror(state):
    return State(state.rulings, state.hands[::-1], state.points[::-1], state.prize)


GAME = Game(
    "NAME", "Goofspiel", "Bid for the prize.", Rulings, start, legal, step, outcome, ending, True,
    mirror=mirror,
)
'''
"""A game in which both pick at once; its name is to be put in for NAME."""


def example(name: str) -> str:
    """The source of a game of the examples."""
    return (ROOT / "examples" / "games" / f"{name}.py").read_text()


def install_examples(folder: Path) -> str:
    """Two games of the examples, whose usual rulings are small; where Python looks for packages."""
    install(folder, "goofspiel", example("goofspiel").replace("= 5\n", "= 2\n"))
    install(folder, "pig", example("pig").replace("= 20\n", "= 6\n"))
    return os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
