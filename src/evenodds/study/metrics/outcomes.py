"""Exact outcome odds, endings and mean length of matches between two strategies."""

import numpy as np

from evenodds.claims.study_data import OutcomeOdds
from evenodds.core.vocabulary import Outcome
from evenodds.graph import StrategyShares, match_flow
from evenodds.policy import REPETITION_ENDING
from evenodds.study.solved.solved_game import SolvedGame


def outcome_odds_of(
    solved: SolvedGame, first: StrategyShares, second: StrategyShares, repetition: int | None = None
) -> OutcomeOdds:
    """The outcome odds between two strategies.

    With `repetition` a match is drawn when a position comes up so many times, with 0 never; None
    stands for the rule of the game, as far as repetitions can be counted.
    """
    graph = solved.graph
    repetition = solved.repetition if repetition is None else repetition
    ends, endless, repeated, length = match_flow(solved.position_index, first, second, repetition)
    by_outcome = dict.fromkeys(Outcome, 0.0) | {Outcome.DRAW: repeated}
    endings: dict[str, float] = {REPETITION_ENDING: repeated} if repetition else {}
    # Sums of masses may exceed 1 by a rounding error.
    for end, share in zip(graph.ends, np.minimum(ends, 1.0).tolist(), strict=True):
        by_outcome[end.outcome] += share
        endings[end.ending] = endings.get(end.ending, 0.0) + share
    return OutcomeOdds(
        by_outcome[Outcome.FIRST_WINS],
        by_outcome[Outcome.DRAW],
        by_outcome[Outcome.SECOND_WINS],
        endless,
        None if endless else length,
        endings,
    )
