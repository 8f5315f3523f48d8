"""Elo ratings by a Bradley-Terry fit over all matches; a draw counts as half a win.

Of players with strengths a and b the one is expected to score a / (a + b). A rating is 400 times
the logarithm to the base 10 of a strength, counted from the average of those who play. So that no
rating is endless, everyone is taken to have won half a bout and lost half a bout against the
average.

Intervals come from how far the scores of bouts lie from what is expected of them, and not from the
model: where matches are drawn, scores vary less than the model knows. As in `estimates.score`,
every pair is taken to have played somewhat less than four more bouts, half of them won.
"""

from collections.abc import Mapping
from math import log
from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.policy.estimates import Z_SCORE_95, Estimate

ELO_SCALE: Final = 400 / log(10)
PRIOR_BOUTS: Final = 0.5
"""Bouts that everyone is taken to have won, and to have lost, against the average."""
MAX_NEWTON_STEPS: Final = 200
NEWTON_TOLERANCE: Final = 1e-10


class PairScores(NamedTuple):
    """The bouts of two players: how often the one scored so much, from 0 to 1."""

    one: int
    two: int
    scores: Mapping[float, int]


def fit_ratings(players: int, results: list[PairScores]) -> tuple[Estimate, ...]:
    """The likeliest ratings, with their intervals."""
    place = np.zeros(players)
    for _ in range(MAX_NEWTON_STEPS):
        slope, bend = _gradient_and_hessian(place, results)
        step = np.linalg.solve(bend, slope)
        place = place + step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < NEWTON_TOLERANCE:
            break
    inverse = np.linalg.inv(_gradient_and_hessian(place, results)[1])
    centre = np.eye(players) - 1 / players
    spread = centre @ inverse @ _score_covariance(place, results) @ inverse @ centre.T
    rated = zip(centre @ place, np.sqrt(np.diag(spread)), strict=True)
    return tuple(_rating(float(strength), float(error)) for strength, error in rated)


def _rating(strength: float, error: float) -> Estimate:
    low, value, high = (ELO_SCALE * (strength + side * Z_SCORE_95 * error) for side in (-1, 0, 1))
    return Estimate(value, low, high)


def _expected(difference: float) -> float:
    return float(1 / (1 + np.exp(-difference)))


def _gradient_and_hessian(place: Any, results: list[PairScores]) -> tuple[Any, Any]:
    """The slope of the likelihood's logarithm at a place, and how it bends down."""
    slope, bend = np.zeros(len(place)), np.zeros((len(place), len(place)))
    for player, strength in enumerate(place):
        expected = _expected(strength)
        slope[player] += PRIOR_BOUTS * (1 - 2 * expected)
        bend[player, player] += 2 * PRIOR_BOUTS * expected * (1 - expected)
    for one, two, scores in results:
        expected, bouts = _expected(place[one] - place[two]), sum(scores.values())
        ahead = sum(count * score for score, count in scores.items()) - bouts * expected
        slope[[one, two]] += (ahead, -ahead)
        weight = bouts * expected * (1 - expected)
        bend[np.ix_([one, two], [one, two])] += weight * np.array([[1, -1], [-1, 1]])
    return slope, bend


def _score_covariance(place: Any, results: list[PairScores]) -> Any:
    """How far scores lie from what is expected of them, pair by pair."""
    scatter = np.zeros((len(place), len(place)))
    more = Z_SCORE_95**2 / 2
    for one, two, scores in results:
        expected = _expected(place[one] - place[two])
        squares = sum(count * (score - expected) ** 2 for score, count in scores.items())
        squares += more * (expected**2 + (1 - expected) ** 2)
        scatter[np.ix_([one, two], [one, two])] += squares * np.array([[1, -1], [-1, 1]])
    return scatter
