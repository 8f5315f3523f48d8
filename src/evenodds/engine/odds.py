"""Exact odds between two policies, computed over all positions without sampling.

What is here needs no NumPy before something is computed: kept odds are read without it.
"""

from typing import TYPE_CHECKING, Final, NamedTuple

from evenodds.claims.study_figures import OutcomeOdds
from evenodds.core.catalog import GameLike
from evenodds.core.terms import DEFAULT_REPETITION, REPETITION_NOT_COUNTED_NOTE, check_repetition
from evenodds.core.vocabulary import FIRST, SECOND, Outcome, decided
from evenodds.engine.policies import Policy
from evenodds.figures import percent, points
from evenodds.system import EvenOddsError, Progress
from evenodds.system.imports import needs
from evenodds.system.text import TextTable

if TYPE_CHECKING:
    from evenodds.engine.graph import Graph
    from evenodds.engine.strategies import StrategyShares

REPETITION_ENDING: Final = "REPETITION"
"""The ending of a match that is drawn because a position came up too often."""


class Odds(NamedTuple):
    """How matches end between two policies, and how long they take on average.

    `endless` is the share of play that goes on for ever. The length counts rounds in simultaneous
    games and picks in games of turns; it is None when play may not end.
    """

    first: float
    draw: float
    second: float
    endless: float
    length: float | None
    repetition: int
    """After how many times of the same position these matches are a draw; 0: never."""
    points: float | None = None
    """The first seat's points on average, in games about points."""

    @property
    def score(self) -> float:
        """What the first seat scores: a win 1, a draw or endless play 1/2."""
        return self.first + (self.draw + self.endless) / 2

    def _repr_markdown_(self) -> str:
        """The figures as a table, for notebooks."""
        shares = {"first": self.first, "draw": self.draw, "second": self.second}
        shares |= {"endless": self.endless} if self.endless else {}
        cells = {name: percent(share, 2) for name, share in shares.items()}
        cells["length"] = "may not end" if self.length is None else f"{self.length:.2f}"
        if self.points is not None:
            cells["points"] = points(self.points)
        return TextTable(tuple(cells), [tuple(cells.values())]).as_markdown()


class UncountedRepetition(EvenOddsError, ValueError):
    """A draw by repetition that cannot be computed without the history of a match."""


def odds(
    game: GameLike,
    first: Policy,
    second: Policy,
    *,
    repetition: int = DEFAULT_REPETITION,
    progress: Progress | None = None,
) -> Odds:
    """The exact odds between a policy in the first seat and one in the second.

    As in a match a position that comes up 3 times is a draw, unless `repetition` says otherwise; 0
    stands for never, and endless play has a share of its own then. Raises `UncountedRepetition`
    under the few rulings where that draw cannot be computed exactly.
    """
    with needs("solver"):
        from evenodds.engine.graph import graph_of

    graph = graph_of(game, progress)
    return odds_on(graph, first, second, check_countable(graph, repetition))


def odds_on(graph: "Graph", first: Policy, second: Policy, repetition: int) -> Odds:
    """The same on a graph that exists already; `repetition` has been checked."""
    from evenodds.engine.strategies import policy_shares

    sides = policy_shares(graph, first, FIRST), policy_shares(graph, second, SECOND)
    found, points = _odds_and_points(graph, *sides, repetition)
    return Odds(*found[:5], repetition, points)


def mean_points(graph: "Graph", first: "StrategyShares", second: "StrategyShares") -> float | None:
    """The first seat's points on average; None in games that are not about points."""
    if not graph.has_points:
        return None
    from evenodds.engine.flows import total_points

    sums, shares = total_points(graph, first, second)
    return float(sums @ shares)


def score_on(graph: "Graph", one: Policy, two: Policy, repetition: int) -> float:
    """What a policy scores against another on average over both seats."""
    score = odds_on(graph, one, two, repetition).score
    if graph.game.mirror is not None:  # the rules favour neither seat: one order is enough
        return score
    return (score + 1 - odds_on(graph, two, one, repetition).score) / 2


def odds_between(
    graph: "Graph", first: "StrategyShares", second: "StrategyShares", repetition: int
) -> OutcomeOdds:
    """The exact odds between two strategies, with the share of each ending."""
    return _odds_and_points(graph, first, second, repetition)[0]


def _odds_and_points(
    graph: "Graph", first: "StrategyShares", second: "StrategyShares", repetition: int
) -> tuple[OutcomeOdds, float | None]:
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
    return OutcomeOdds(won, drawn, lost, flow.endless, length, ended), points


def counts_repetitions(graph: "Graph") -> bool:
    """Whether draws by repetition can be computed exactly; always where there are no loops."""
    return not graph.game.can_repeat or graph.components.are_rings


def check_countable(graph: "Graph", repetition: int) -> int:
    """The number of occurrences of a position that draws a match, if that can be computed.

    0 in games without loops. Raises `BadTerms` or `UncountedRepetition` in one line.
    """
    check_repetition(repetition)
    if repetition and not counts_repetitions(graph):
        raise UncountedRepetition(
            f"{REPETITION_NOT_COUNTED_NOTE} repetition=0 leaves it out, "
            "and `simulate` counts it by playing."
        )
    return repetition if graph.game.can_repeat else 0
