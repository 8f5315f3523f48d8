"""Scores of simple strategies against perfect play and against their best response.

Perfect play takes no risk and need not punish a weak strategy; the best response does.
"""

from typing import Final

from evenodds.claims.study_figures import (
    HIGHEST_POLICY,
    PERFECT_POLICY,
    RANDOM_POLICY,
    HabitScores,
)
from evenodds.core.vocabulary import SEATS, Seat, other
from evenodds.graph import StrategyShares, best_response_to
from evenodds.study.metrics.outcomes import seat_averaged_score
from evenodds.study.solved_game import SolvedGame

PERFECT_PLAY_SCORES: Final = HabitScores(0.5, 0.5)
"""Perfect play itself."""


def habit_scores_of(solved: SolvedGame) -> dict[str, HabitScores]:
    """The scores of random picks, of always the highest number, and of perfect play."""
    found = {
        habit: HabitScores(
            _score_against_perfect_play(solved, habit), _score_against_best_response(solved, habit)
        )
        for habit in (RANDOM_POLICY, HIGHEST_POLICY)
    }
    found[PERFECT_POLICY] = PERFECT_PLAY_SCORES
    return found


def _score_against_perfect_play(solved: SolvedGame, habit: str) -> float:
    shares = [solved.shares(habit, seat) for seat in SEATS]
    return seat_averaged_score(solved, shares, solved.equilibrium)


def _score_against_best_response(solved: SolvedGame, habit: str) -> float:
    # The mean over both seats of values from -1 to 1, halved to a score.
    gains = [best_response_gain(solved, solved.shares(habit, other(seat)), seat) for seat in SEATS]
    return 0.5 - sum(gains) / 4


def best_response_gain(solved: SolvedGame, shares: StrategyShares, seat: Seat) -> float:
    """The value of the best response of a seat to the shares of the other, from -1 to 1."""
    return best_response_to(solved.position_index, shares, seat, solved.repetition).value
