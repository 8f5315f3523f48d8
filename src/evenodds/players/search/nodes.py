"""Nodes of the search tree: value estimates, and selection of the next picks to try.

Where one seat has a choice, UCT says what to try, and what surely wins or loses is proven. Where
both have one, each learns by regret matching from what the other picks.
"""

from abc import ABC, abstractmethod
from math import log, sqrt
from random import Random
from typing import Any, Final

from evenodds.core.vocabulary import FIRST, PASS, Outcome, Pair, Seat
from evenodds.players.search.regret_matching import Mix, RegretMatcher

EXPLORATION_CONSTANT: Final = 1.0
"""How much UCT favours numbers that were tried less often than others."""


class SearchNode(ABC):
    """A position, and what it is worth to the first seat: so far, or for sure."""

    __slots__ = ("children", "state", "sure", "visits", "worth")

    def __init__(self, state: Any) -> None:
        self.state = state
        self.worth = 0.0
        self.sure = False
        self.visits = 0
        self.children: dict[Pair, SearchNode] = {}

    def weigh(self, value: float) -> None:
        """Count a result; later ones weigh more, since the picks that led there were better."""
        self.visits += 1
        self.worth += (value - self.worth) * 2 / (self.visits + 1)

    def settle(self, worth: float) -> None:
        """The position is worth this, and no playout can change it."""
        self.worth, self.sure = worth, True

    def unseen(self) -> list[Pair]:
        """The picks to look at before all else, so that no win in one pick is overlooked."""
        return []

    @abstractmethod
    def choose(self, chance: Random) -> Pair:
        """The picks to try next."""

    @abstractmethod
    def learn(self, picks: Pair, value: float) -> None:
        """Take in what came of the picks that were tried."""

    @abstractmethod
    def mix(self, seat: Seat) -> Mix:
        """What a seat should pick, after all that was tried."""


class TurnNode(SearchNode):
    """A position in which only one seat has a choice."""

    __slots__ = ("_forced", "_seat", "_side", "_times", "_untried")

    def __init__(self, state: Any, seat: Seat, own: tuple[int, ...], forced: int) -> None:
        super().__init__(state)
        self._seat = seat
        self._side = 1 if seat == FIRST else -1
        self._forced = forced
        self._times = dict.fromkeys(own, 0)
        self._untried = list(own)

    def unseen(self) -> list[Pair]:
        """All numbers that were not tried yet."""
        return [self._pair(number) for number in self._untried]

    def choose(self, chance: Random) -> Pair:
        """A number not tried yet, or else the most promising one."""
        if self._untried:
            return self._pair(self._untried[int(chance.random() * len(self._untried))])
        doubt = EXPLORATION_CONSTANT * sqrt(log(self.visits))
        return self._pair(max(self._times, key=lambda number: self._promise(number, doubt)))

    def learn(self, picks: Pair, value: float) -> None:
        """Count the number as tried, if the tree has room for what it leads to."""
        self.weigh(value)
        child = self.children.get(picks)
        if child is None:
            return
        number = picks[self._seat]
        self._times[number] += 1
        if number in self._untried:
            self._untried.remove(number)
        if child.sure:
            self._prove()

    def mix(self, seat: Seat) -> Mix:
        """The number tried most often, unless it surely loses or another surely wins."""
        if seat != self._seat:
            return {self._forced: 1.0}
        return {max(self._times, key=self._rank): 1.0}

    def _prove(self) -> None:
        """The worth is sure once a number surely wins, or all numbers are sure."""
        sure = [self._side * child.worth for child in self.children.values() if child.sure]
        if max(sure) == 1 or len(sure) == len(self._times):
            self.settle(self._side * max(sure))

    def _promise(self, number: int, doubt: float) -> float:
        worth = self.children[self._pair(number)].worth
        return self._side * worth + doubt / sqrt(self._times[number])

    def _rank(self, number: int) -> tuple[float, int]:
        child = self.children.get(self._pair(number))
        if child is None or not child.sure:
            return (0.0, self._times[number])
        worth = self._side * child.worth
        # What is over was never visited, so a win at once goes first; and where all is lost, the
        # number that looked best for longest gives the other seat most to get wrong.
        return (worth, -child.visits if worth == 1 else self._times[number])

    def _pair(self, number: int) -> Pair:
        return (number, self._forced) if self._seat == FIRST else (self._forced, number)


def _terminal_node(outcome: Outcome) -> SearchNode:
    node = TurnNode(None, FIRST, (), PASS)
    node.settle(float(outcome))
    return node


TERMINAL_NODES: Final = {
    outcome: _terminal_node(outcome)
    for outcome in (Outcome.FIRST_WINS, Outcome.DRAW, Outcome.SECOND_WINS)
}
"""What stands for all positions in which the game is over: nobody has a choice."""


class SimultaneousNode(SearchNode):
    """A position in which both seats have a choice."""

    __slots__ = ("_sides",)

    def __init__(self, state: Any, first: tuple[int, ...], second: tuple[int, ...]) -> None:
        super().__init__(state)
        self._sides = (RegretMatcher(first), RegretMatcher(second))

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
