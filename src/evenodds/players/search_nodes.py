"""Nodes of the search tree: value estimates, and selection of the next picks to try.

Where one seat has a choice, UCT selects, and wins, draws and losses are proven as in MCTS-Solver.
Where both have one, each seat selects by regret matching. Against another regret matcher the
average mix converges to an equilibrium (Lisý, Kovařík, Lanctot, Bošanský 2013: Convergence of Monte
Carlo Tree Search in Simultaneous Move Games). Unlike there, regrets are clipped at zero and later
mixes weigh more, as in regret matching plus: after as many playouts such mixes give away a third to
a half less.
"""

from functools import cache
from math import log, sqrt
from random import Random
from typing import Any, Final

from evenodds.core.vocabulary import FIRST, PASS, Outcome, Pair, Seat

EXPLORATION_CONSTANT: Final = 1.0
"""The constant c of UCT; 1.0 suits values from -1 to 1."""
EXPLORATION_RATE: Final = 0.1
"""The probability of a uniformly random number in regret matching, so that none is overlooked."""

Mix = dict[int, float]


class NodeBase:
    """A position, and its value for the first seat: an estimate, or proven."""

    __slots__ = ("children", "proven", "state", "value", "visits")

    def __init__(self, state: Any) -> None:
        self.state = state
        self.value = 0.0
        self.proven = False
        self.visits = 0
        self.children: dict[Pair, SearchNode] = {}

    def add_result(self, value: float) -> None:
        """Add a result to the average; later ones weigh more, as selection gets better."""
        self.visits += 1
        self.value += (value - self.value) * 2 / (self.visits + 1)

    def untried_pairs(self) -> list[Pair]:
        """Picks to expand before any playout, so that no win in one pick is overlooked."""
        return []


class TurnNode(NodeBase):
    """A position in which only one seat has a choice."""

    __slots__ = ("_forced", "_seat", "_sign", "_visits_of")

    def __init__(self, state: Any, seat: Seat, choices: tuple[int, ...], forced: int) -> None:
        super().__init__(state)
        self._seat = seat
        self._sign = 1 if seat == FIRST else -1
        self._forced = forced
        self._visits_of = dict.fromkeys(choices, 0)

    def untried_pairs(self) -> list[Pair]:
        """All numbers that were not tried yet."""
        return [self._pair(number) for number, visits in self._visits_of.items() if not visits]

    def choose(self, rng: Random) -> Pair:
        """A number not tried yet, or else the one with the highest upper confidence bound."""
        if untried := self.untried_pairs():
            return untried[int(rng.random() * len(untried))]
        exploration = EXPLORATION_CONSTANT * sqrt(log(self.visits))
        return self._pair(max(self._visits_of, key=lambda number: self._ucb(number, exploration)))

    def update(self, picks: Pair, value: float) -> None:
        """Count the visit; only where the child is in the tree, which may be full.

        The value is proven once one number is a proven win, or all are proven.
        """
        self.add_result(value)
        child = self.children.get(picks)
        if child is None:
            return
        self._visits_of[picks[self._seat]] += 1
        if child.proven:
            proven = [self._sign * child.value for child in self.children.values() if child.proven]
            if max(proven) == 1 or len(proven) == len(self._visits_of):
                self.value, self.proven = self._sign * max(proven), True

    def mix(self, seat: Seat) -> Mix:
        """The most visited number, unless it is a proven loss or another is a proven win."""
        if seat != self._seat:
            return {self._forced: 1.0}
        return {max(self._visits_of, key=self._rank): 1.0}

    def _ucb(self, number: int, exploration: float) -> float:
        value = self.children[self._pair(number)].value
        return self._sign * value + exploration / sqrt(self._visits_of[number])

    def _rank(self, number: int) -> tuple[float, int]:
        child = self.children.get(self._pair(number))
        if child is None or not child.proven:
            return (0.0, self._visits_of[number])
        value = self._sign * child.value
        # Terminal nodes have no visits, so among wins the immediate one goes first; among losses
        # the most visited number looked best for longest, and so is the hardest to refute.
        return (value, -child.visits if value == 1 else self._visits_of[number])

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

    def choose(self, rng: Random) -> Pair:
        """A pick of each seat, sampled independently."""
        first, second = self._matchers
        return (first.sample(self.visits, rng), second.sample(self.visits, rng))

    def update(self, picks: Pair, value: float) -> None:
        """Add the regrets of each seat against the other's pick.

        A child that is not in the tree yet is estimated by the value of this node.
        """
        first, second = self._matchers
        child: Any = self.children.get
        one, two = picks
        first.add_regrets(one, [child((pick, two), self).value - value for pick in first.numbers])
        second.add_regrets(two, [value - child((one, pick), self).value for pick in second.numbers])
        self.add_result(value)

    def mix(self, seat: Seat) -> Mix:
        """The average mix of a seat."""
        return self._matchers[seat].mix()


SearchNode = TurnNode | SimultaneousNode


@cache
def terminal_node(outcome: Outcome) -> SearchNode:
    """The node of all ends with an outcome, without state and children; its value is proven."""
    node = TurnNode(None, FIRST, (), PASS)
    node.value, node.proven = float(outcome), True
    return node
