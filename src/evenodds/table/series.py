"""The matches of the same players one after the other: who has won how many."""

from collections import Counter

from evenodds.core.match import Match
from evenodds.core.vocabulary import Outcome
from evenodds.core.words import Names, winner


class Series:
    """Matches won by each player, counted here over rematches."""

    def __init__(self, length: int = 1) -> None:
        self.length = length
        """Of so many matches most are to be won; then the count begins anew."""
        self._wins: Counter[int | None] = Counter()
        """By place of a player; None for draws."""

    def count(self, match: Match) -> None:
        """Count a match that is over."""
        assert match.result is not None
        if self._won is not None:
            self._wins.clear()
        outcome = match.result.outcome
        drawn = outcome == Outcome.DRAW
        self._wins[None if drawn else match.names.order.index(winner(outcome))] += 1

    def score(self, names: Names) -> list[str]:
        """How it stands, from the second match on."""
        if self._wins.total() < 2:
            return []
        won = ", ".join(
            f"{name} {self._wins[place]}" for place, (_, name) in enumerate(names.listed())
        )
        draws = f", draws {self._wins[None]}" if self._wins[None] else ""
        said = [f"Matches won: {won}{draws}."]
        if self._won is not None:
            wins = names.does(names.order[self._won], "win", "wins")
            said.append(f"{wins} the best of {self.length}.")
        return said

    @property
    def _won(self) -> int | None:
        """The place of the player who has won most of the series."""
        most = max((0, 1), key=lambda place: self._wins[place])
        return most if self.length > 1 and self._wins[most] > self.length // 2 else None
