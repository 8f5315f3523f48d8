"""The ladder by which the levels of a game play, and their strengths as data."""

from typing import NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.game import DEFAULT_LADDER


def ladder_of(game: AnyGame) -> tuple[float, ...]:
    """The softmax temperature, then for each level the probability of the exact mix."""
    return game.ladder or DEFAULT_LADDER


class LevelStrength(NamedTuple):
    """What a level scores on average over both seats: a win 1, a draw 1/2, a loss 0.

    `below`, `random` and `perfect` are its scores against the level below, random picks and perfect
    play; `best_opponent` is the score of the best response against it. Where repetition is a draw,
    `drawn` is the share of drawn matches against the level below, and `played_on` the score against
    it without that rule.
    """

    name: str
    below: float | None
    random: float
    perfect: float
    best_opponent: float
    drawn: float | None
    played_on: float | None


class Strengths(NamedTuple):
    """The levels of a game, the score of perfect play against random play, the value of the start.

    `repetition` is how often a position may come up before the match is a draw; 0 for no limit.
    """

    levels: tuple[LevelStrength, ...]
    perfect_score: float
    value: float
    repetition: int
