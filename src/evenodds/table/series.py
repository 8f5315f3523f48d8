"""The matches of the same players one after the other: who has won how many."""

from collections import Counter

from evenodds.core.record import VOID_REASONS, MatchResult
from evenodds.core.vocabulary import Outcome, Seat
from evenodds.core.words import Names, winner


class Series:
    """Matches won by each player, counted here over rematches."""

    def __init__(self) -> None:
        self._wins: Counter[str | bool] = Counter()
        self._draws = 0

    def count(self, result: MatchResult, names: Names) -> None:
        """Count a match that is over."""
        if result.outcome == Outcome.DRAW:
            self._draws += result.reason not in VOID_REASONS
        else:
            self._wins[_key(names, winner(result.outcome))] += 1

    def score(self, names: Names) -> list[str]:
        """How it stands, from the second match on."""
        if self._wins.total() + self._draws < 2:
            return []
        won = ", ".join(f"{name} {self._wins[_key(names, seat)]}" for seat, name in names.listed())
        draws = f", draws {self._draws}" if self._draws else ""
        return [f"Matches won: {won}{draws}."]


def _key(names: Names, seat: Seat) -> str | bool:
    """A player from match to match: seats change, and so may what an opponent is called."""
    return names[seat] if names.you is None else seat == names.you
