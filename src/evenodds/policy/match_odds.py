"""Exact odds between two policies, computed over all positions without sampling."""

from evenodds.core.catalog import GameLike, accept_keyword_rulings
from evenodds.core.terms import DEFAULT_REPETITION
from evenodds.graph import PositionIndex, position_index_of
from evenodds.policy import simultaneous_play, turn_play
from evenodds.policy.policies import Policy
from evenodds.policy.results import Odds
from evenodds.policy.turn_play import check_countable, turn_graph_of
from evenodds.system.progress import Progress


@accept_keyword_rulings
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
    index = position_index_of(game, {}, progress)
    return odds_on(index, first, second, check_countable(index, repetition))


def odds_on(index: PositionIndex, first: Policy, second: Policy, repetition: int) -> Odds:
    """The exact odds between two policies, with an index that exists already.

    With `repetition` a match is drawn when a position comes up so many times, which must be exact
    (`check_countable`).
    """
    if index.game.simultaneous:
        ends, length = simultaneous_play.simultaneous_flow(index, first, second)
        endless = repeated = 0.0
        shares = dict(zip((-1, 0, 1), ends.tolist(), strict=True))
    else:
        ends, endless, repeated, length = turn_play.turn_flow(index, first, second, repetition)
        worths = turn_graph_of(index).ends
        shares = {outcome: float(ends[worths == outcome].sum()) for outcome in (-1, 0, 1)}
    lost, drawn, won = (min(1.0, shares[outcome]) for outcome in (-1, 0, 1))  # rounding
    drawn = min(1.0, drawn + repeated)
    return Odds(won, drawn, lost, endless, None if endless else length, repetition)
