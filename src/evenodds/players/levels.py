"""The levels of the computer opponents, their default ladder, and the check of a ladder."""

from math import inf
from typing import Any, Final, NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.policy.results import Range
from evenodds.system.text import brief

LEVELS: Final = range(1, 9)
"""The strengths at which the computer plays any game."""
DEFAULT_LADDER: Final = (1.0, 0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.88, 1.0)


def ladder_of(game: AnyGame) -> tuple[float, ...]:
    """The softmax temperature, then for each level the probability of the exact mix."""
    return game.ladder or DEFAULT_LADDER


def ladder_fault(game: AnyGame) -> str:
    """What is wrong with the ladder that a game declares, in one line; empty where nothing is."""
    if game.ladder == () or _is_ladder(game.ladder):
        return ""
    wanted = f"{len(DEFAULT_LADDER)} numbers: one above 0, then {len(LEVELS)} from 0 to 1"
    return f"ladder must be {wanted}, not {brief(repr(game.ladder), 80)}"


def _is_ladder(ladder: Any) -> bool:
    if not isinstance(ladder, tuple) or len(ladder) != len(DEFAULT_LADDER):
        return False
    if not all(isinstance(number, int | float) for number in ladder):
        return False
    return 0 < ladder[0] < inf and all(0 <= chance <= 1 for chance in ladder[1:])


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
