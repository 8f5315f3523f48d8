"""Exact odds between two policies, computed over all positions without sampling.

What is here needs no NumPy before something is computed: kept odds are read without it.
"""

from typing import TYPE_CHECKING, Final

from evenodds.claims.study_figures import Odds
from evenodds.core.terms import REPETITION_NOT_COUNTED_NOTE, check_repetition
from evenodds.core.vocabulary import Outcome, decided
from evenodds.system import EvenOddsError

if TYPE_CHECKING:
    from evenodds.engine.graph import Graph
    from evenodds.engine.strategies import StrategyShares

REPETITION_ENDING: Final = "REPETITION"
"""The ending of a match that is drawn because a position came up too often."""


class UncountedRepetition(EvenOddsError, ValueError):
    """A draw by repetition that cannot be computed without the history of a match."""


def odds_between(
    graph: "Graph", first: "StrategyShares", second: "StrategyShares", repetition: int
) -> Odds:
    """The exact odds between two strategies, with the share of each ending."""
    from evenodds.engine.flows import match_flow, total_points

    points = None
    flow = match_flow(graph, first, second, repetition)
    outcomes = dict.fromkeys(Outcome, 0.0) | {Outcome.DRAW: flow.repeated}
    endings = {REPETITION_ENDING: flow.repeated} if repetition else {}
    for end, share in zip(graph.ends, flow.ends.tolist(), strict=True):
        outcomes[end.outcome] += share
        endings[end.ending] = endings.get(end.ending, 0.0) + share
    if graph.has_points:
        outcomes, (sums, shares) = dict.fromkeys(Outcome, 0.0), total_points(graph, first, second)
        points = float(sums @ shares)
        for total, share in zip(sums, shares, strict=True):
            outcomes[decided(total)] += float(share)
    # Sums of masses may exceed 1 by a rounding error.
    sides = (Outcome.FIRST_WINS, Outcome.DRAW, Outcome.SECOND_WINS)
    won, drawn, lost = (min(1.0, outcomes[outcome]) for outcome in sides)
    ended = {ending: min(1.0, share) for ending, share in endings.items()}
    length = None if flow.endless else flow.length
    return Odds(won, drawn, lost, flow.endless, length, ended, repetition, points)


def check_countable(graph: "Graph", repetition: int) -> int:
    """The number of occurrences of a position that draws a match, if that can be computed.

    0 in games without loops. Raises `BadTerms` or `UncountedRepetition` in one line.
    """
    check_repetition(repetition)
    if repetition and graph.game.can_repeat and not graph.components.are_rings:
        raise UncountedRepetition(
            f"{REPETITION_NOT_COUNTED_NOTE} repetition=0 leaves it out, "
            "and `simulate` counts it by playing."
        )
    return repetition if graph.game.can_repeat else 0
