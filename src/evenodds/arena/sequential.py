"""Sequential test by betting: which of two players is stronger, if they are so far apart.

Two null hypotheses are bet against, bout by bout: that the one player is weaker by so many points
of Elo or more, and that the other is. Under a true hypothesis the wealth of the bettor is a
supermartingale, so it reaches 20 times the stake in no more than 5 of 100 tests, however long they
last (Ville's inequality). That holds for any scores between 0 and 1, skewed or dependent, as long
as the conditional mean of the weaker player is never better. (Waudby-Smith and Ramdas, "Estimating
means of bounded random variables by betting", 2024.)

Stakes are those for players just so far apart. Between equal ones neither bet has an edge then:
both are won only where most bouts are equal, and else chance names one of the two.
"""

from math import log, log1p
from typing import Final

from evenodds.arena.schedule import BadPlan

ERROR_RATE: Final = 0.05
"""The share of tests that may settle on something wrong."""
LOG_EVIDENCE_BOUND: Final = log(1 / ERROR_RATE)
PSEUDO_BOUTS: Final = 2.0
"""Pseudo-bouts won, and lost: else the variance after a few equal bouts would be estimated as 0."""
MAX_STAKE_SHARE: Final = 0.9
"""The largest share of the wealth that may be lost in one bout: it must never reach 0."""
MAX_ELO: Final = 1000
NEITHER_STRONGER: Final = 2
"""The result of a test where both hypotheses are rejected."""


class BettingMartingale:
    """Bets against the hypothesis that a player scores `ceiling` or less on average."""

    def __init__(self, ceiling: float) -> None:
        self._ceiling = ceiling
        self.log_wealth = 0.0
        """The logarithm of the wealth that began as 1."""
        self.rejected = False
        """Whether the wealth has ever reached the bound: a later loss does not take it back."""
        self._bouts = 0
        self._sum = self._squares = 0.0

    def add(self, score: float) -> None:
        """Bet on a bout; the stake depends on earlier bouts only, as a martingale requires."""
        self.log_wealth += log1p(self._stake() * (score - self._ceiling))
        self.rejected |= self.log_wealth >= LOG_EVIDENCE_BOUND
        self._bouts += 1
        self._sum += score
        self._squares += score * score

    def _stake(self) -> float:
        # The stake with about the best growth rate (Kelly) for the estimated mean and variance. The
        # mean is taken as no less than under the other hypothesis: the stake is never negative.
        size = self._bouts + 2 * PSEUDO_BOUTS
        mean = (self._sum + PSEUDO_BOUTS) / size
        spread = (self._squares + PSEUDO_BOUTS) / size - mean * mean
        edge = max(1 - self._ceiling, mean) - self._ceiling
        return min(edge / (spread + edge * edge), MAX_STAKE_SHARE / self._ceiling)


class SequentialTest:
    """The state of a test after some bouts."""

    def __init__(self, elo: float) -> None:
        if not 0 < elo <= MAX_ELO:
            raise BadPlan(f"--sprt {elo:g} is not allowed; allowed: above 0, up to {MAX_ELO}")
        self.elo = elo
        ceiling = 1 / (1 + 10 ** (elo / 400))
        self._one, self._other = BettingMartingale(ceiling), BettingMartingale(ceiling)
        self.settled = 0
        """1 if the first player is stronger, -1 if the second, `NEITHER_STRONGER`, 0 while open."""

    def add(self, score: float) -> None:
        """Count a bout by the score of the first player, from 0 to 1."""
        self._one.add(score)
        self._other.add(1 - score)
        if not self.settled:
            self.settled = self._verdict()

    def _verdict(self) -> int:
        # One rejection names the stronger player only while the wealth of the other bet is below
        # its stake; else the other hypothesis may be rejected too, and neither is so much stronger.
        if self._one.rejected and self._other.rejected:
            return NEITHER_STRONGER
        if self._one.rejected and self._other.log_wealth < 0:
            return 1
        return -1 if self._other.rejected and self._one.log_wealth < 0 else 0
