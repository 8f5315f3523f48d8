"""Exact scores between policies over all positions."""

from typing import NamedTuple

from evenodds.core.vocabulary import SEATS
from evenodds.graph import Graph
from evenodds.policy import Policy, odds_on, respond_on


class Meeting(NamedTuple):
    """The score of a policy against another, and the share of drawn and endless matches."""

    score: float
    drawn: float


class PolicyScores:
    """Exact scores between policies on one position graph, averaged over both seats."""

    def __init__(self, graph: Graph, repetition: int) -> None:
        self.graph = graph
        self.repetition = repetition
        """After how many times of the same position a match is a draw; 0 for never."""
        self.symmetric = graph.game.mirror is not None
        """Whether the rules favour neither seat: then one order of the seats is enough."""

    def meet(self, one: Policy, two: Policy) -> Meeting:
        """What a policy scores against another."""
        found = [odds_on(self.graph, one, two, self.repetition)]
        if not self.symmetric:
            odds = odds_on(self.graph, two, one, self.repetition)
            found.append(odds._replace(first=odds.second, second=odds.first))
        scores, draws = [odds.score for odds in found], [odds.draw + odds.endless for odds in found]
        return Meeting(sum(scores) / len(found), sum(draws) / len(found))

    def best_opponent_score(self, policy: Policy) -> float:
        """What the best opponent scores against a policy."""
        seats = SEATS[:1] if self.symmetric else SEATS
        gains = [respond_on(self.graph, policy, seat, self.repetition).value for seat in seats]
        return 0.5 + sum(gains) / len(gains) / 2
