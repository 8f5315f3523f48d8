"""A second way to the measures of a study: every line of play written out, with its likelihood."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from evenodds import FIRST, PASS, SECOND, Outcome

History = tuple[tuple[int, int], ...]
Way = Callable[[Any, int], Mapping[int, float]]
"""From a position and a seat to a mix."""


class Line(NamedTuple):
    """One line of play: its positions, the end included, its picks, and how likely it is."""

    states: tuple[Any, ...]
    picks: History
    share: float


def lines(game: Any, rulings: Any, first: Way, second: Way, repetition: int = 0) -> Iterator[Line]:
    """Every line of play between two ways; a position that comes up `repetition` times ends it."""

    def onward(states: tuple[Any, ...], picks: History, share: float) -> Iterator[Line]:
        state = states[-1]
        if game.outcome(state) != Outcome.ONGOING or states.count(state) == repetition:
            yield Line(states, picks, share)
            return
        mixes = [
            way(state, seat) or {PASS: 1.0} for seat, way in ((FIRST, first), (SECOND, second))
        ]
        for one, likely in mixes[FIRST].items():
            for two, too in mixes[SECOND].items():
                if likely * too > 0:
                    after = game.step(state, (one, two))
                    yield from onward((*states, after), (*picks, (one, two)), share * likely * too)

    yield from onward((game.start(rulings),), (), 1.0)


def result(game: Any, line: Line) -> float:
    """What a line is worth to the first seat; one that ends by repetition is a draw."""
    outcome = game.outcome(line.states[-1])
    return 0.0 if outcome == Outcome.ONGOING else float(outcome)


def chance(game: Any) -> Way:
    return lambda state, seat: {
        number: 1 / len(game.picks(state, seat)) for number in game.picks(state, seat)
    }


def highest(game: Any) -> Way:
    return lambda state, seat: {max(game.picks(state, seat)): 1.0}
