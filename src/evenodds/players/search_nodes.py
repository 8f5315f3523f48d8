"""Nodes of the search tree: value estimates, and selection of the next picks to try.

Where one seat has a choice, UCT selects, and wins, draws and losses are proven as in MCTS-Solver.
Where both have one, each seat selects by regret matching. Against another regret matcher the
average mix converges to an equilibrium (Lisý, Kovařík, Lanctot, Bošanský 2013: Convergence of Monte
Carlo Tree Search in Simultaneous Move Games). Unlike there, regrets are clipped at zero and later
mixes weigh more, as in regret matching plus: after as many playouts such mixes give away a third to
a half less. Where chance is to move, a draw is a sample by the weights, and the value is the mean.
"""

from functools import cache
from math import log, sqrt
from operator import mul
from random import Random
from typing import Any, Final

from evenodds.core.vocabulary import FIRST, PASS, Outcome, Pair, Seat

EXPLORATION_CONSTANT: Final = 1.0
"""The constant c of UCT; 1.0 suits values from -1 to 1, others are scaled to them."""
EXPLORATION_RATE: Final = 0.1
"""The probability of a uniformly random number in regret matching, so that none is overlooked."""

Mix = dict[int, float]


class NodeBase:
    """A position, and its value for the first seat: an estimate, or proven."""

    __slots__ = ("children", "points", "proven", "state", "value", "visits")

    def __init__(self, state: Any) -> None:
        self.state = state
        self.value = 0.0
        self.proven = False
        self.visits = 0
        self.children: dict[Pair, SearchNode] = {}
        self.points: dict[Pair, int] = {}
        """What links to children bring the first seat, where they bring points."""

    def add_result(self, value: float) -> None:
        """Add a result to the average; later ones weigh more, as selection gets better."""
        self.visits += 1
        self.value += (value - self.value) * 2 / (self.visits + 1)

    def worth(self, picks: Pair) -> float:
        """What picks are worth to the first seat; their child is in the tree."""
        return self.children[picks].value + self.points.get(picks, 0)

    def untried_pairs(self) -> list[Pair]:
        """Picks to expand before any playout, so that no win in one pick is overlooked."""
        return []


class TurnNode(NodeBase):
    """A position in which only one seat has a choice."""

    __slots__ = ("_forced", "_most", "_seat", "_sign", "_visits_of")

    def __init__(
        self, state: Any, seat: Seat, choices: tuple[int, ...], forced: int, most: float = 1.0
    ) -> None:
        super().__init__(state)
        self._most = most  # nothing is worth more; infinite in games about points
        self._seat = seat
        self._sign = 1 if seat == FIRST else -1
        self._forced = forced
        self._visits_of = dict.fromkeys(choices, 0)

    def untried_pairs(self) -> list[Pair]:
        """All numbers that were not tried yet."""
        return [self._pair(number) for number, visits in self._visits_of.items() if not visits]

    def choose(self, rng: Random, scale: float) -> Pair:
        """A number not tried yet, or else the one with the highest upper confidence bound.

        `scale` is how far values are from 0 at most.
        """
        if untried := self.untried_pairs():
            return untried[int(rng.random() * len(untried))]
        exploration = scale * EXPLORATION_CONSTANT * sqrt(log(self.visits))
        return self._pair(max(self._visits_of, key=lambda number: self._ucb(number, exploration)))

    def update(self, picks: Pair, value: float) -> None:
        """Count the visit; only where the child is in the tree, which may be full.

        The value is proven once one number is a proven win, or all are proven. With points only
        the latter is known.
        """
        self.add_result(value)
        child = self.children.get(picks)
        if child is None:
            return
        self._visits_of[picks[self._seat]] += 1
        if child.proven:
            known = [picks for picks, child in self.children.items() if child.proven]
            proven = [self._sign * self.worth(picks) for picks in known]
            if max(proven) == self._most or len(proven) == len(self._visits_of):
                self.value, self.proven = self._sign * max(proven), True

    def mix(self, seat: Seat) -> Mix:
        """The most visited number, unless it is a proven loss or another is a proven win."""
        if seat != self._seat:
            return {self._forced: 1.0}
        return {max(self._visits_of, key=self._rank): 1.0}

    def _ucb(self, number: int, exploration: float) -> float:
        return self._sign * self.worth(self._pair(number)) + exploration / sqrt(
            self._visits_of[number]
        )

    def _rank(self, number: int) -> tuple[float, int]:
        child = self.children.get(self._pair(number))
        value = self._sign * self.worth(self._pair(number)) if child and child.proven else 0.0
        # A value between a loss and a win says how numbers rank only where all are proven.
        if child is None or (abs(value) != self._most and not self.proven):
            return (0.0, self._visits_of[number])
        # Terminal nodes have no visits, so among wins the immediate one goes first; among losses
        # the most visited number looked best for longest, and so is the hardest to refute.
        return (value, -child.visits if value == self._most else self._visits_of[number])

    def _pair(self, number: int) -> Pair:
        return (number, self._forced) if self._seat == FIRST else (self._forced, number)


class RegretMatcher:
    """One seat at one position: numbers are sampled in proportion to their regret."""

    __slots__ = ("_mix_sums", "_regrets", "numbers")

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self.numbers = numbers
        self._regrets = [0.0] * len(numbers)
        self._mix_sums = [0.0] * len(numbers)

    def sample(self, weight: int, rng: Random) -> int:
        """Sample the current mix, which enters the average by its weight; sometimes any number."""
        regrets = self._regrets if any(self._regrets) else [1.0] * len(self.numbers)
        scale = weight / sum(regrets)
        self._mix_sums = [
            share + scale * regret for share, regret in zip(self._mix_sums, regrets, strict=True)
        ]
        if rng.random() < EXPLORATION_RATE:
            return self.numbers[int(rng.random() * len(self.numbers))]
        return rng.choices(self.numbers, regrets)[0]

    def add_regrets(self, drawn: int, gains: list[float]) -> None:
        """Add what each number would have gained over the one drawn, clipped at zero."""
        gains[self.numbers.index(drawn)] = 0.0
        self._regrets = [
            total if (total := regret + gain) > 0 else 0.0  # max() is twice as slow
            for regret, gain in zip(self._regrets, gains, strict=True)
        ]

    def mix(self) -> Mix:
        """The weighted average of all mixes; exploration is not part of it."""
        shares = self._mix_sums if any(self._mix_sums) else [1.0] * len(self.numbers)
        total = sum(shares)
        return {
            number: share / total
            for number, share in zip(self.numbers, shares, strict=True)
            if share > 0
        }


class SimultaneousNode(NodeBase):
    """A position in which both seats have a choice."""

    __slots__ = ("_matchers",)

    def __init__(self, state: Any, first: tuple[int, ...], second: tuple[int, ...]) -> None:
        super().__init__(state)
        self._matchers = (RegretMatcher(first), RegretMatcher(second))

    def choose(self, rng: Random, scale: float) -> Pair:
        """A pick of each seat, sampled independently."""
        first, second = self._matchers
        return (first.sample(self.visits, rng), second.sample(self.visits, rng))

    def update(self, picks: Pair, value: float) -> None:
        """Add the regrets of each seat against the other's pick.

        A child that is not in the tree yet is estimated by the value of this node.
        """
        first, second = self._matchers
        one, two = picks
        child: Any = self.children.get
        ones = [child((pick, two), self).value - value for pick in first.numbers]
        twos = [value - child((one, pick), self).value for pick in second.numbers]
        if self.points:
            points = self.points.get
            ones = [
                gain + points((pick, two), 0)
                for gain, pick in zip(ones, first.numbers, strict=True)
            ]
            twos = [
                gain - points((one, pick), 0)
                for gain, pick in zip(twos, second.numbers, strict=True)
            ]
        first.add_regrets(one, ones)
        second.add_regrets(two, twos)
        self.add_result(value)

    def mix(self, seat: Seat) -> Mix:
        """The average mix of a seat."""
        return self._matchers[seat].mix()


class ChanceNode(NodeBase):
    """A position in which chance draws a number."""

    __slots__ = ("_draws", "_weights")

    def __init__(self, state: Any, draws: dict[int, int]) -> None:
        super().__init__(state)
        self._draws = [(number, PASS) for number in draws]
        self._weights = list(draws.values())

    def choose(self, rng: Random, scale: float) -> Pair:
        """What chance draws."""
        return rng.choices(self._draws, self._weights)[0]

    def update(self, picks: Pair, value: float) -> None:
        """Add a result; once all draws are in the tree, their mean stands for all results."""
        self.add_result(value)
        if len(self.children) == len(self._draws):
            self.value = sum(map(mul, map(self.worth, self._draws), self._weights))
            self.value /= sum(self._weights)
            self.proven = all(child.proven for child in self.children.values())

    def mix(self, seat: Seat) -> Mix:
        """Nobody picks."""
        return {PASS: 1.0}


SearchNode = TurnNode | SimultaneousNode | ChanceNode


@cache
def terminal_node(outcome: Outcome) -> SearchNode:
    """The node of all ends with an outcome, without state and children; its value is proven."""
    node = TurnNode(None, FIRST, (), PASS)
    node.value, node.proven = float(outcome), True
    return node
