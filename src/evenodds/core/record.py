"""The record, the result and the views of a match, as data."""

from typing import Any, Final, NamedTuple

from evenodds.core.terms import Terms
from evenodds.core.vocabulary import Outcome, Pair, Seat
from evenodds.core.words import Names

END_REASONS: Final = ("resigned", "time", "forfeit")
"""Reasons, other than the rules and repetition, for which a seat loses a match."""

VOID_REASON: Final = "void"
"""The reason of a match that neither has won, since both ran out of time or it never began."""
CANCELLED_REASON: Final = "cancelled"
"""What such a match is called where it never began."""


class EarlyEnd(NamedTuple):
    """An end that the rules alone do not tell: the reason, and who lost (None for a draw)."""

    reason: str
    loser: Seat | None


class MatchResult(NamedTuple):
    """How a match ended: the outcome, and `rules` or the reason that ended it against whom."""

    outcome: Outcome
    reason: str = "rules"
    loser: Seat | None = None


class Record(NamedTuple):
    """All of a match that is public, enough to rebuild it."""

    terms: Terms
    history: tuple[Pair, ...]
    end: EarlyEnd | None
    taken_back: bool


class View(NamedTuple):
    """What one seat, or a spectator, may see. It never holds a pick that is not revealed."""

    game: str
    seat: Seat | None
    names: Names
    round: int
    state: Any
    history: tuple[Pair, ...]
    choices: tuple[int, ...]
    """The numbers this seat may pick now; none for a spectator or when nothing is asked."""
    chosen: tuple[bool, bool]
    """Which seats have a pick in this round."""
    result: MatchResult | None
