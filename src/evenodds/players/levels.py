"""The ladder by which the levels of a game play, and their strengths as data."""

from typing import NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.ladder import DEFAULT_LADDER
from evenodds.figures.ranges import Range


def ladder_of(game: AnyGame) -> tuple[float, ...]:
    """The softmax temperature, then for each level the probability of the exact mix."""
    return game.ladder or DEFAULT_LADDER


class LevelStrength(NamedTuple):
    """What a level scores on average over both seats: a win 1, a draw 1/2, a loss 0.

    `taken` is what the best opponent scores against it. Where a position that comes up too often is
    a draw, `drawn` is how many matches against the one below are, and `played_on` is what a level
    would score against that one if no position were.
    """

    name: str
    below: float | None
    random: float
    perfect: float
    taken: float
    drawn: float | None
    played_on: float | None


class Strengths(NamedTuple):
    """The levels of a game, the score of perfect play against random play, the value of the start.

    `repetition` is the number of times of the same position after which these matches are a draw;
    0 where they never are.
    """

    levels: tuple[LevelStrength, ...]
    room: float
    value: float
    repetition: int
    range: Range | None
    """The score of perfect play against random play over all mixes that are best in every
    position; None in games with loops, and where memory does not allow it."""
