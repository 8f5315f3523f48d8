"""A sequential test: stop as soon as it is known which of two players is the stronger.

Wald's test between two beliefs, that the one is stronger by so many points of Elo and that the
other is, with the likelihoods of means of bouts, as those who test chess engines do it. If either
belief is true, the wrong one is settled on in no more than 5 of 100 tests.
"""

from math import log
from typing import Final

ERRORS: Final = 0.05
"""How often a test may settle on the wrong player."""
BOUND: Final = log((1 - ERRORS) / ERRORS)
DOUBT: Final = 2.0
"""Bouts that are taken to have been won, and to have been lost, beside those that were seen: else a
few that went alike would leave no doubt."""
MOST_ELO: Final = 1000


class BadTest(ValueError):
    """A test that cannot be, and what is allowed."""


class Sequential:
    """What is known after some bouts: positive for the one, negative for the other."""

    def __init__(self, elo: float) -> None:
        if not 0 < elo <= MOST_ELO:
            raise BadTest(f"--sprt {elo:g} is not allowed; allowed: above 0, up to {MOST_ELO}")
        self.elo = elo
        self._score = 1 / (1 + 10 ** (-elo / 400))
        self._bouts = 0
        self._total = self._squares = 0.0

    def add(self, score: float) -> None:
        """A bout in which the one scored so much, from 0 to 1."""
        self._bouts += 1
        self._total += score
        self._squares += score * score

    @property
    def evidence(self) -> float:
        """The logarithm of how much likelier the one belief is than the other."""
        size = self._bouts + 2 * DOUBT
        mean = (self._total + DOUBT) / size
        spread = (self._squares + DOUBT) / size - mean * mean
        return size * (2 * self._score - 1) * (2 * mean - 1) / (2 * spread)

    @property
    def settled(self) -> int:
        """1 where the one is the stronger, -1 where the other is, 0 while it is open."""
        if abs(self.evidence) < BOUND:
            return 0
        return 1 if self.evidence > 0 else -1
