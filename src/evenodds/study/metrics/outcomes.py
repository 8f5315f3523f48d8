"""Exact outcome odds, endings and lengths of matches between two strategies."""

from collections.abc import Sequence

import numpy as np

from evenodds.claims.study_figures import LengthDistribution, OutcomeOdds
from evenodds.core.vocabulary import FIRST, SECOND, Outcome
from evenodds.graph import (
    MAX_FOLLOWED_ROUNDS,
    MatchEnd,
    MatchFlow,
    StrategyShares,
    masses_by_round,
    match_flow,
)
from evenodds.policy import REPETITION_ENDING
from evenodds.study.solved_game import SolvedGame


def outcome_odds_of(
    solved: SolvedGame, first: StrategyShares, second: StrategyShares, repetition: int | None = None
) -> OutcomeOdds:
    """The outcome odds between two strategies.

    With `repetition` a match is drawn when a position comes up so many times, with 0 never; None
    stands for the rule of the game, as far as repetitions can be counted.
    """
    repetition = solved.repetition if repetition is None else repetition
    flow = match_flow(solved.position_index, first, second, repetition)
    return _outcome_odds(solved.graph.ends, flow, repetition)


def _outcome_odds(ends: list[MatchEnd], flow: MatchFlow, repetition: int) -> OutcomeOdds:
    by_outcome = dict.fromkeys(Outcome, 0.0) | {Outcome.DRAW: flow.repeated}
    endings: dict[str, float] = {REPETITION_ENDING: flow.repeated} if repetition else {}
    # Sums of masses may exceed 1 by a rounding error.
    for end, share in zip(ends, np.minimum(flow.ends, 1.0).tolist(), strict=True):
        by_outcome[end.outcome] += share
        endings[end.ending] = endings.get(end.ending, 0.0) + share
    return OutcomeOdds(
        by_outcome[Outcome.FIRST_WINS],
        by_outcome[Outcome.DRAW],
        by_outcome[Outcome.SECOND_WINS],
        flow.endless,
        None if flow.endless else flow.length,
        endings,
    )


def self_play_odds_of(solved: SolvedGame, policy: str) -> OutcomeOdds:
    """The outcome odds of a policy against itself."""
    return outcome_odds_of(solved, solved.shares(policy, FIRST), solved.shares(policy, SECOND))


def seat_averaged_score(
    solved: SolvedGame, one: Sequence[StrategyShares], two: Sequence[StrategyShares]
) -> float:
    """The score of one player against another, averaged over both seats; shares are by seat."""
    first = outcome_odds_of(solved, one[FIRST], two[SECOND])
    second = outcome_odds_of(solved, two[FIRST], one[SECOND])
    return (first.score + 1 - second.score) / 2


def length_distribution_of(
    solved: SolvedGame, first: StrategyShares, second: StrategyShares
) -> LengthDistribution:
    """The distribution of match lengths between two strategies."""
    size = solved.graph.size
    ended = [float(mass[size:].sum()) for mass in masses_by_round(solved.graph, first, second)][1:]
    longer = max(0.0, 1.0 - sum(ended)) if len(ended) >= MAX_FOLLOWED_ROUNDS - 1 else 0.0
    last = max((place for place, share in enumerate(ended) if share > 0), default=-1)
    return LengthDistribution(tuple(ended[: last + 1]), longer)
