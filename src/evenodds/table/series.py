"""The matches of the same players one after the other: who has won how many."""

from collections import Counter

from evenodds.core.record import VOID_REASONS, MatchResult
from evenodds.core.vocabulary import Outcome, Seat
from evenodds.core.words import Names, winner


class Series:
    """Matches won by each player, counted here over rematches."""

    def __init__(self, length: int = 1) -> None:
        self.length = length
        """Of so many matches most are to be won; then the count begins anew."""
        self._wins: Counter[str | bool] = Counter()
        self._draws = 0

    def count(self, result: MatchResult, names: Names) -> None:
        """Count a match that is over."""
        if any(map(self._has_won, self._wins)):
            self._wins.clear()
            self._draws = 0
        if result.outcome == Outcome.DRAW:
            self._draws += result.reason not in VOID_REASONS
        else:
            self._wins[_key(names, winner(result.outcome))] += 1

    def score(self, names: Names) -> list[str]:
        """How it stands, from the second match on, and who has won the series."""
        if self._wins.total() + self._draws < 2:
            return []
        won = ", ".join(f"{name} {self._wins[_key(names, seat)]}" for seat, name in names.listed())
        draws = f", draws {self._draws}" if self._draws else ""
        said = [f"Matches won: {won}{draws}."]
        for seat, _ in names.listed():
            if self._has_won(_key(names, seat)):
                said.append(f"{names.does(seat, 'win', 'wins')} the best of {self.length}.")
        return said

    def _has_won(self, player: str | bool) -> bool:
        return self.length > 1 and self._wins[player] > self.length // 2


def _key(names: Names, seat: Seat) -> str | bool:
    """A player from match to match: seats change, and so may what an opponent is called."""
    return names[seat] if names.you is None else seat == names.you
