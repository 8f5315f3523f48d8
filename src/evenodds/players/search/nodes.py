"""Nodes of the search tree: value estimates, and selection of the next picks to try.

Where one seat has a choice, UCT selects, and wins, draws and losses are proven as in MCTS-Solver.
Where both have one, each seat selects by regret matching.
"""

from abc import ABC, abstractmethod
from math import log, sqrt
from random import Random
from typing import Any, Final

from evenodds.core.vocabulary import FIRST, PASS, Outcome, Pair, Seat
from evenodds.players.search.regret_matching import Mix, RegretMatcher

EXPLORATION_CONSTANT: Final = 1.0
"""The constant c of UCT; 1.0 suits values from -1 to 1."""


class SearchNode(ABC):
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

    def prove(self, value: float) -> None:
        """Fix the value: no playout can change it."""
        self.value, self.proven = value, True

    def untried_pairs(self) -> list[Pair]:
        """Picks to expand before any playout, so that no win in one pick is overlooked."""
        return []

    @abstractmethod
    def choose(self, rng: Random) -> Pair:
        """The picks to try next."""

    @abstractmethod
    def update(self, picks: Pair, value: float) -> None:
        """Backpropagate the result of a playout that went through these picks."""

    @abstractmethod
    def mix(self, seat: Seat) -> Mix:
        """The mix that the search recommends to a seat."""


class TurnNode(SearchNode):
    """A position in which only one seat has a choice."""

    __slots__ = ("_forced", "_seat", "_sign", "_untried", "_visits_of")

    def __init__(self, state: Any, seat: Seat, choices: tuple[int, ...], forced: int) -> None:
        super().__init__(state)
        self._seat = seat
        self._sign = 1 if seat == FIRST else -1
        self._forced = forced
        self._visits_of = dict.fromkeys(choices, 0)
        self._untried = list(choices)

    def untried_pairs(self) -> list[Pair]:
        """All numbers that were not tried yet."""
        return [self._pair(number) for number in self._untried]

    def choose(self, rng: Random) -> Pair:
        """A number not tried yet, or else the one with the highest upper confidence bound."""
        if self._untried:
            return self._pair(self._untried[int(rng.random() * len(self._untried))])
        exploration = EXPLORATION_CONSTANT * sqrt(log(self.visits))
        return self._pair(max(self._visits_of, key=lambda number: self._ucb(number, exploration)))

    def update(self, picks: Pair, value: float) -> None:
        """Count the visit; only where the child is in the tree, which may be full."""
        self.add_result(value)
        child = self.children.get(picks)
        if child is None:
            return
        number = picks[self._seat]
        self._visits_of[number] += 1
        if number in self._untried:
            self._untried.remove(number)
        if child.proven:
            self._prove_if_possible()

    def mix(self, seat: Seat) -> Mix:
        """The most visited number, unless it is a proven loss or another is a proven win."""
        if seat != self._seat:
            return {self._forced: 1.0}
        return {max(self._visits_of, key=self._rank): 1.0}

    def _prove_if_possible(self) -> None:
        """Prove the value once one number is a proven win, or all are proven."""
        proven = [self._sign * child.value for child in self.children.values() if child.proven]
        if max(proven) == 1 or len(proven) == len(self._visits_of):
            self.prove(self._sign * max(proven))

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


def _terminal_node(outcome: Outcome) -> SearchNode:
    node = TurnNode(None, FIRST, (), PASS)
    node.prove(float(outcome))
    return node


TERMINAL_NODES: Final = {
    outcome: _terminal_node(outcome)
    for outcome in (Outcome.FIRST_WINS, Outcome.DRAW, Outcome.SECOND_WINS)
}
"""One shared node for each outcome: terminal positions need no state and no children."""


class SimultaneousNode(SearchNode):
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
        child = self.children.get
        one, two = picks
        first.add_regrets(one, [child((pick, two), self).value - value for pick in first.numbers])
        second.add_regrets(two, [value - child((one, pick), self).value for pick in second.numbers])
        self.add_result(value)

    def mix(self, seat: Seat) -> Mix:
        """The average mix of a seat."""
        return self._matchers[seat].mix()
