"""Odds between policies as data, and the error where they cannot be computed."""

from typing import Final, NamedTuple

from evenodds.system.errors import EvenOddsError

REPETITION_ENDING: Final = "REPETITION"
"""The ending of a match that is drawn because a position came up too often."""


class Odds(NamedTuple):
    """How matches end between two policies, and how long they take on average.

    `endless` is the share of play that goes on for ever. The length counts rounds in simultaneous
    games and picks in games of turns; it is None when play may not end.
    """

    first: float
    draw: float
    second: float
    endless: float
    length: float | None
    repetition: int
    """After how many times of the same position these matches are a draw; 0: never."""

    @property
    def score(self) -> float:
        """What the first seat scores: a win 1, a draw or endless play 1/2."""
        return self.first + (self.draw + self.endless) / 2


class UncountedRepetition(EvenOddsError, ValueError):
    """A draw by repetition that cannot be computed without the history of a match."""
