"""The record, the result and the views of a match, as data."""

from typing import Final, NamedTuple

from evenodds.core.terms import Terms
from evenodds.core.vocabulary import Outcome, Pair, Seat, State
from evenodds.core.words import Names

END_REASONS: Final = ("resigned", "time", "forfeit")
"""Reasons, other than the rules and repetition, for which a seat loses a match."""

VOID_REASON: Final = "void"
"""The reason of a match without a result: both ran out of time, or it never began."""
CANCELLED_REASON: Final = "cancelled"
"""The reason in records and sentences where such a match never began."""
VOID_REASONS: Final = (VOID_REASON, CANCELLED_REASON)
"""Reasons for which a match ends without a result; it counts as a draw."""


class EarlyEnd(NamedTuple):
    """An end other than by the rules: the reason, and who lost (None for a draw)."""

    reason: str
    loser: Seat | None


class MatchResult(NamedTuple):
    """The result of a match: the outcome, and `rules` or another reason with the loser."""

    outcome: Outcome
    reason: str = "rules"
    loser: Seat | None = None


class Record(NamedTuple):
    """The public data of a match, enough to rebuild it."""

    terms: Terms
    history: tuple[Pair, ...]
    end: EarlyEnd | None
    taken_back: bool


class View(NamedTuple):
    """The view of a seat or a spectator. It never holds a pick that is not revealed."""

    game: str
    seat: Seat | None
    names: Names
    round: int
    state: State
    history: tuple[Pair, ...]
    choices: tuple[int, ...]
    """The numbers this seat may pick now; none for a spectator or when nothing is asked."""
    chosen: tuple[bool, bool]
    """Which seats have a pick in this round."""
    result: MatchResult | None
