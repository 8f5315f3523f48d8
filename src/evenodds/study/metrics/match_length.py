"""The exact distribution of match lengths between two strategies."""

from evenodds.claims.study_data import LengthDistribution
from evenodds.graph import MAX_FOLLOWED_ROUNDS, StrategyShares, masses_by_round
from evenodds.study.solved.solved_game import SolvedGame


def length_distribution_of(
    solved: SolvedGame, first: StrategyShares, second: StrategyShares
) -> LengthDistribution:
    """The distribution of match lengths between two strategies."""
    size = solved.graph.size
    ended = [float(mass[size:].sum()) for mass in masses_by_round(solved.graph, first, second)][1:]
    longer = max(0.0, 1.0 - sum(ended)) if len(ended) >= MAX_FOLLOWED_ROUNDS - 1 else 0.0
    last = max((place for place, share in enumerate(ended) if share > 0), default=-1)
    return LengthDistribution(tuple(ended[: last + 1]), longer)
