"""Scores of simple strategies against perfect play and against their best response.

Perfect play need not punish a habit, for it takes no risk; so both are told.
"""

from typing import Final, NamedTuple

import numpy as np

from evenodds.core.vocabulary import FIRST, SEATS, SECOND, Seat, other
from evenodds.policy.turn_play import turn_graph_of
from evenodds.study.metrics.copying import best_response_gain_in_turns, copy_scores
from evenodds.study.metrics.outcomes import outcome_odds_of
from evenodds.study.metrics.solved_game import (
    COPY_POLICY,
    HIGHEST_POLICY,
    PERFECT_POLICY,
    RANDOM_POLICY,
    SolvedGame,
    StrategyShares,
)


class HabitScores(NamedTuple):
    """What a habit scores, on average over both seats."""

    perfect: float
    """Against perfect play."""
    answered: float
    """Against the best opponent it can have, who knows the habit but not what is drawn by lot."""


PERFECT_PLAY_SCORES: Final = HabitScores(0.5, 0.5)
"""Perfect play itself."""


def habit_scores_of(solved: SolvedGame) -> dict[str, HabitScores]:
    """What chance and two habits of beginners score; perfect play beside them."""
    found = {
        habit: HabitScores(
            _score_against_perfect_play(solved, habit), _score_against_best_response(solved, habit)
        )
        for habit in (RANDOM_POLICY, HIGHEST_POLICY)
    }
    found[COPY_POLICY] = HabitScores(*copy_scores(solved))
    found[PERFECT_POLICY] = PERFECT_PLAY_SCORES
    return found


def _score_against_perfect_play(solved: SolvedGame, habit: str) -> float:
    """What a habit scores against perfect play."""
    first = outcome_odds_of(solved, solved.shares(habit, FIRST), solved.equilibrium[SECOND])
    second = outcome_odds_of(solved, solved.equilibrium[FIRST], solved.shares(habit, SECOND))
    return (first.score + 1 - second.score) / 2


def _score_against_best_response(solved: SolvedGame, habit: str) -> float:
    """What a habit scores against its best opponent."""
    gains = [best_response_gain(solved, solved.shares(habit, other(seat)), seat) for seat in SEATS]
    return 0.5 - sum(gains) / 4


def best_response_gain(solved: SolvedGame, shares: StrategyShares, seat: Seat) -> float:
    """What a seat gains at most against the shares of the other, from -1 to 1."""
    if solved.game.loops:
        own = solved.shares(RANDOM_POLICY, seat)
        sides = (own, shares) if seat == FIRST else (shares, own)
        return best_response_gain_in_turns(
            turn_graph_of(solved.position_index), solved.links(*sides), seat, solved.repetition
        )
    graph = solved.graph
    side = 1.0 if seat == FIRST else -1.0
    worth = np.concatenate([np.zeros(graph.size), side * graph.outcomes()])
    expected = "nij,nj->ni" if seat == FIRST else "nij,ni->nj"
    for block, theirs in zip(reversed(graph.blocks), reversed(shares), strict=True):
        for piece in block.pieces():
            leads = np.einsum(expected, worth[block.targets[piece]], theirs[piece])
            worth[block.places[piece]] = leads.max(axis=1)
    return float(worth[0])
