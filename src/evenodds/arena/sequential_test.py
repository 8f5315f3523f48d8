"""Sequential test by betting: stops once it is known which of two players is stronger.

Two beliefs are bet against, bout by bout: that the one player is weaker by so many points of Elo or
more, and that the other is. Whoever bets against a belief that is true has no edge, and so comes to
20 times the stake in no more than 5 of 100 tests, however long they last (Ville's inequality). That
holds for scores of any kind between 0 and 1, skewed or not, and however they hang together, as long
as the weaker player's mean is no better at any time. (Waudby-Smith and Ramdas, "Estimating means of
bounded random variables by betting", 2024.)
"""

from math import log, log1p
from typing import Final

ERROR_RATE: Final = 0.05
"""How often a test may settle on something wrong."""
LOG_EVIDENCE_BOUND: Final = log(1 / ERROR_RATE)
PSEUDO_BOUTS: Final = 2.0
"""Bouts that are taken to have been won, and to have been lost, beside those that were seen: else a
few that went alike would leave no doubt."""
MAX_STAKE_SHARE: Final = 0.9
"""The largest part of what somebody has that may be lost in one bout."""
MAX_ELO: Final = 1000
NEITHER_STRONGER: Final = 2
"""What a test is settled on where neither player is so much stronger."""


class BadTest(ValueError):
    """A test that cannot be, and what is allowed."""


class BettingMartingale:
    """Bets against the belief that a player scores `ceiling` or less on average."""

    def __init__(self, ceiling: float) -> None:
        self._ceiling = ceiling
        self.evidence = 0.0
        """The logarithm of what one unit has become."""
        self.won = False
        """Whether it has ever become so much that the belief is given up."""
        self._bouts = 0
        self._total = self._squares = 0.0

    def add(self, score: float) -> None:
        """Bet on a bout by what was seen before it, and see what the player scores."""
        self.evidence += log1p(self._stake() * (score - self._ceiling))
        self.won |= self.evidence >= LOG_EVIDENCE_BOUND
        self._bouts += 1
        self._total += score
        self._squares += score * score

    def _stake(self) -> float:
        """What makes most of the mean that is to be expected: at least that of the other belief."""
        size = self._bouts + 2 * PSEUDO_BOUTS
        mean = (self._total + PSEUDO_BOUTS) / size
        spread = (self._squares + PSEUDO_BOUTS) / size - mean * mean
        edge = max(1 - self._ceiling, mean) - self._ceiling
        return min(edge / (spread + edge * edge), MAX_STAKE_SHARE / self._ceiling)


class SequentialTest:
    """What is known after some bouts."""

    def __init__(self, elo: float) -> None:
        if not 0 < elo <= MAX_ELO:
            raise BadTest(f"--sprt {elo:g} is not allowed; allowed: above 0, up to {MAX_ELO}")
        self.elo = elo
        ceiling = 1 / (1 + 10 ** (elo / 400))
        self._one, self._other = BettingMartingale(ceiling), BettingMartingale(ceiling)
        self.settled = 0
        """1 if the first player is stronger, -1 if the second, `NEITHER_STRONGER`, 0 while open."""

    def add(self, score: float) -> None:
        """A bout in which the one scored so much, from 0 to 1."""
        self._one.add(score)
        self._other.add(1 - score)
        if not self.settled:
            self.settled = self._verdict()

    def _verdict(self) -> int:
        """A winner where one belief is given up and nothing speaks against the other."""
        if self._one.won and self._other.won:
            return NEITHER_STRONGER
        if self._one.won and self._other.evidence < 0:
            return 1
        return -1 if self._other.won and self._one.evidence < 0 else 0
