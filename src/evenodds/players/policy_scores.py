"""Exact scores between policies over all positions."""

from functools import lru_cache

from evenodds.core.vocabulary import SEATS
from evenodds.graph import PositionIndex
from evenodds.policy import Policy, odds_on, respond_on


class PolicyScores:
    """Exact scores between policies on one position index, averaged over both seats."""

    def __init__(self, index: PositionIndex, repetition: int) -> None:
        self.index = index
        self.repetition = repetition
        """After how many times of the same position a match is a draw; 0 for never."""
        self.symmetric = index.game.mirror is not None
        """Whether the rules favour neither seat: then one order of the seats is enough."""

    def score(self, one: Policy, two: Policy) -> float:
        """What a policy scores against another."""
        results = self._results(one, two)
        return sum(won + drawn / 2 for won, drawn in results) / len(results)

    def drawn(self, one: Policy, two: Policy) -> float:
        """The share of drawn and endless matches between two policies."""
        results = self._results(one, two)
        return sum(drawn for _, drawn in results) / len(results)

    def best_opponent_score(self, policy: Policy) -> float:
        """What the best opponent scores against a policy."""
        seats = SEATS[:1] if self.symmetric else SEATS
        gains = [respond_on(self.index, policy, seat, self.repetition).value for seat in seats]
        return 0.5 + sum(gains) / len(gains) / 2

    @lru_cache(2)  # noqa: B019 - `score` and `drawn` of a pair need the same results; this object is short-lived
    def _results(self, one: Policy, two: Policy) -> list[tuple[float, float]]:
        """The shares of wins and draws of a policy against another, in each seat that matters."""
        found = odds_on(self.index, one, two, self.repetition)
        results = [(found.first, found.draw + found.endless)]
        if not self.symmetric:
            found = odds_on(self.index, two, one, self.repetition)
            results.append((found.second, found.draw + found.endless))
        return results
