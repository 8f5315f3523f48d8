"""Games in packages of somebody's own, as `pip` would install them."""

from pathlib import Path


def install(folder: Path, name: str, source: str) -> None:
    """Put a module of that name where Python looks, with its `GAME` as an entry point."""
    module = f"evenodds_{name}"
    (folder / f"{module}.py").write_text(source)
    about = folder / f"{module}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[evenodds.games]\n{name} = {module}:GAME\n")


NIM = '''
"""Take one or two from a heap; whoever takes the last wins."""

from enum import IntEnum
from typing import Annotated, NamedTuple

from evenodds.core.game import Game
from evenodds.core.rulings import Whole
from evenodds.core.vocabulary import FIRST, NOTHING, Outcome, rule


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
