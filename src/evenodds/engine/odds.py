"""Exact odds between two policies, computed over all positions without sampling."""

from evenodds.claims.study_figures import OutcomeOdds
from evenodds.core.catalog import GameLike
from evenodds.core.terms import DEFAULT_REPETITION, REPETITION_NOT_COUNTED_NOTE, check_repetition
from evenodds.core.vocabulary import FIRST, SECOND, Outcome
from evenodds.engine.flows import match_flow
from evenodds.engine.graph import Graph, graph_of
from evenodds.engine.policies import Policy
from evenodds.engine.results import REPETITION_ENDING, Odds, UncountedRepetition
from evenodds.engine.strategies import policy_shares
from evenodds.engine.strategy_shares import StrategyShares
from evenodds.system.progress import Progress


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
    graph = graph_of(game, progress)
    return odds_on(graph, first, second, check_countable(graph, repetition))


def odds_on(graph: Graph, first: Policy, second: Policy, repetition: int) -> Odds:
    """The exact odds between two policies, on a graph that exists already.

    With `repetition` a match is drawn when a position comes up so many times, which must be exact
    (`check_countable`).
    """
    sides = policy_shares(graph, first, FIRST), policy_shares(graph, second, SECOND)
    return Odds(*odds_between(graph, *sides, repetition)[:5], repetition)


def odds_between(
    graph: Graph, first: StrategyShares, second: StrategyShares, repetition: int
) -> OutcomeOdds:
    """The exact odds between two strategies, with the share of each ending."""
    flow = match_flow(graph, first, second, repetition)
    outcomes = dict.fromkeys(Outcome, 0.0) | {Outcome.DRAW: flow.repeated}
    endings = {REPETITION_ENDING: flow.repeated} if repetition else {}
    for end, share in zip(graph.ends, flow.ends.tolist(), strict=True):
        outcomes[end.outcome] += share
        endings[end.ending] = endings.get(end.ending, 0.0) + share
    # Sums of masses may exceed 1 by a rounding error.
    sides = (Outcome.FIRST_WINS, Outcome.DRAW, Outcome.SECOND_WINS)
    won, drawn, lost = (min(1.0, outcomes[outcome]) for outcome in sides)
    ended = {ending: min(1.0, share) for ending, share in endings.items()}
    return OutcomeOdds(won, drawn, lost, flow.endless, None if flow.endless else flow.length, ended)


def counts_repetitions(graph: Graph) -> bool:
    """Whether draws by repetition can be computed exactly; always where there are no loops."""
    return not graph.game.loops or graph.components.are_rings


def check_countable(graph: Graph, repetition: int) -> int:
    """The number of occurrences of a position that draws a match, if that can be computed.

    0 in games without loops. Raises `BadTerms` or `UncountedRepetition` in one line.
    """
    check_repetition(repetition)
    if repetition and not counts_repetitions(graph):
        raise UncountedRepetition(
            f"{REPETITION_NOT_COUNTED_NOTE} repetition=0 leaves it out, "
            "and `simulate` counts it by playing."
        )
    return repetition if graph.game.loops else 0
