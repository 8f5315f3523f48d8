"""The positions of a search tree: what each seems worth, and which picks to try there next.

Where one seat has a choice, UCT says what to try, and what surely wins or loses is proven. Where
both have one they learn by regret matching, and their average mixes approach best play (Lisý,
Kovařík, Lanctot, Bošanský 2013: Convergence of Monte Carlo Tree Search in Simultaneous Move Games).
Unlike there, no regret is negative and what comes later weighs more: after as many playouts such
mixes give away about half as much.
"""

from abc import ABC, abstractmethod
from math import log, sqrt
from random import Random
from typing import Any, Final

from evenodds.vocabulary import FIRST, PASS, Outcome, Pair, Seat

ANY: Final = 0.1
"""How often a seat that learns tries any number, so that none is overlooked."""
DOUBT: Final = 1.0
"""How much UCT favours numbers that were tried less often than others."""

Mix = dict[int, float]


class Node(ABC):
    """A position, and what it is worth to the first seat: so far, or for sure."""

    __slots__ = ("children", "state", "sure", "visits", "worth")

    def __init__(self, state: Any) -> None:
        self.state = state
        self.worth = 0.0
        self.sure = False
        self.visits = 0
        self.children: dict[Pair, Node] = {}

    def weigh(self, value: float) -> None:
        """Count a result; later ones weigh more, since the picks that led there were better."""
        self.visits += 1
        self.worth += (value - self.worth) * 2 / (self.visits + 1)

    def settle(self, worth: float) -> None:
        """The position is worth this, and no playout can change it."""
        self.worth, self.sure = worth, True

    @property
    @abstractmethod
    def ready(self) -> bool:
        """Whether enough was tried for a mix that overlooks no sure win."""

    @abstractmethod
    def choose(self, chance: Random) -> Pair:
        """The picks to try next."""

    @abstractmethod
    def learn(self, picks: Pair, value: float) -> None:
        """Take in what came of the picks that were tried."""

    @abstractmethod
    def mix(self, seat: Seat) -> Mix:
        """What a seat should pick, after all that was tried."""


class Turn(Node):
    """A position in which only one seat has a choice."""

    __slots__ = ("_forced", "_seat", "_side", "_times", "_untried")

    def __init__(self, state: Any, seat: Seat, own: tuple[int, ...], forced: int) -> None:
        super().__init__(state)
        self._seat = seat
        self._side = 1 if seat == FIRST else -1
        self._forced = forced
        self._times = dict.fromkeys(own, 0)
        self._untried = list(own)

    @property
    def ready(self) -> bool:
        """Whether every number was tried."""
        return not self._untried

    def choose(self, chance: Random) -> Pair:
        """A number not tried yet, or else the most promising one."""
        if self._untried:
            number = self._untried.pop(int(chance.random() * len(self._untried)))
        else:
            doubt = DOUBT * sqrt(log(self.visits))
            number = max(self._times, key=lambda number: self._promise(number, doubt))
        self._times[number] += 1
        return self._pair(number)

    def learn(self, picks: Pair, value: float) -> None:
        """The worth is sure once a number surely wins, or all numbers are sure."""
        self.weigh(value)
        tried = self.children.get(picks)
        if tried is not None and tried.sure:
            sure = [self._side * child.worth for child in self.children.values() if child.sure]
            if max(sure) == 1 or len(sure) == len(self._times):
                self.settle(self._side * max(sure))

    def mix(self, seat: Seat) -> Mix:
        """The number tried most often, unless another surely wins or it surely loses."""
        if seat != self._seat:
            return {self._forced: 1.0}
        return {max(self._times, key=self._rank): 1.0}

    def _promise(self, number: int, doubt: float) -> float:
        child = self.children.get(self._pair(number), self)
        return self._side * child.worth + doubt / sqrt(self._times[number])

    def _rank(self, number: int) -> tuple[float, int]:
        child = self.children.get(self._pair(number), self)
        return (self._side * child.worth if child.sure else 0.0, self._times[number])

    def _pair(self, number: int) -> Pair:
        return (number, self._forced) if self._seat == FIRST else (self._forced, number)


def _over(outcome: Outcome) -> Node:
    node = Turn(None, FIRST, (), PASS)
    node.settle(float(outcome))
    return node


OVER: Final = {
    outcome: _over(outcome) for outcome in (Outcome.FIRST_WINS, Outcome.DRAW, Outcome.SECOND_WINS)
}
"""What stands for all positions in which the game is over: nobody has a choice."""


class Round(Node):
    """A position in which both seats have a choice."""

    __slots__ = ("_sides",)

    def __init__(self, state: Any, first: tuple[int, ...], second: tuple[int, ...]) -> None:
        super().__init__(state)
        self._sides = (Learner(first), Learner(second))

    @property
    def ready(self) -> bool:
        """Whether anything was tried at all."""
        return self.visits > 0

    def choose(self, chance: Random) -> Pair:
        """What each seat draws by itself."""
        first, second = self._sides
        return (first.draw(self.visits, chance), second.draw(self.visits, chance))

    def learn(self, picks: Pair, value: float) -> None:
        """Each seat hears what its other numbers would have won against the other's pick."""
        first, second = self._sides
        after = self.children.get
        one, two = picks
        first.miss(one, [after((pick, two), self).worth - value for pick in first.numbers])
        second.miss(two, [value - after((one, pick), self).worth for pick in second.numbers])
        self.weigh(value)

    def mix(self, seat: Seat) -> Mix:
        """The average mix of a seat."""
        return self._sides[seat].mix()


class Learner:
    """Regret matching for one seat: a number is drawn the more often, the more it was missed."""

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
        if chance.random() < ANY:
            return self.numbers[int(chance.random() * len(self.numbers))]
        return chance.choices(self.numbers, regrets)[0]

    def miss(self, drawn: int, gains: list[float]) -> None:
        """Regret what each number would have gained over the one drawn; no regret is negative."""
        gains[self.numbers.index(drawn)] = 0.0
        self._regrets = [
            total if (total := regret + gain) > 0 else 0.0  # max() takes three times as long
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
