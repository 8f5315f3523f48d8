"""Elo ratings by a Bradley-Terry fit over all matches; a draw counts as half a win.

With strengths a and b the first player is expected to score a / (a + b). A rating is 400 log10 of
a strength, relative to the average of the players. As a prior every player has won half a bout and
lost half a bout against the average; without it a player who won everything would have an infinite
rating.

Intervals come from the sandwich estimator, which takes the variance from the observed residuals
and not from the model: drawn matches vary less than the model says. As in `estimates.score` every
pair gets somewhat less than four pseudo-bouts, half of them won.
"""

from collections.abc import Mapping
from math import log
from typing import Any, Final

import numpy as np

from evenodds.figures import Z_SCORE_95, Estimate

ELO_SCALE: Final = 400 / log(10)
PRIOR_BOUTS: Final = 0.5
"""Bouts that every player has won, and has lost, against the average before the first match."""
MAX_NEWTON_STEPS: Final = 200
NEWTON_TOLERANCE: Final = 1e-10

PairScores = Mapping[tuple[int, int], Mapping[float, int]]
"""The bouts of each two players: how often the first had each score, from 0 to 1."""


def fit_ratings(players: int, results: PairScores) -> tuple[Estimate, ...]:
    """The maximum-likelihood ratings, with their intervals."""
    # Newton's method on log strengths. The prior makes the likelihood strictly concave, and a step
    # is cut to length 1 so that the first ones do not overshoot after one-sided results.
    strengths = np.zeros(players)
    for _ in range(MAX_NEWTON_STEPS):
        gradient, hessian = _gradient_and_hessian(strengths, results)
        step = np.linalg.solve(hessian, gradient)
        strengths = strengths + step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < NEWTON_TOLERANCE:
            break
    # Ratings are relative: centring takes the average out of the strengths and their covariance.
    inverse = np.linalg.inv(_gradient_and_hessian(strengths, results)[1])
    centre = np.eye(players) - 1 / players
    covariance = centre @ inverse @ _score_covariance(strengths, results) @ inverse @ centre.T
    variances = np.maximum(np.diag(covariance), 0.0)  # rounding may leave one just below
    values, errors = centre @ strengths, Z_SCORE_95 * np.sqrt(variances)
    ratings = ELO_SCALE * np.transpose([values, values - errors, values + errors])
    return tuple(Estimate(*rating) for rating in ratings.tolist())


def _expected(difference: float) -> float:
    return float(1 / (1 + np.exp(-difference)))


def _gradient_and_hessian(strengths: Any, results: PairScores) -> tuple[Any, Any]:
    """The gradient of the log likelihood, and its negated Hessian."""
    gradient, hessian = np.zeros(len(strengths)), np.zeros((len(strengths), len(strengths)))
    for player, strength in enumerate(strengths):
        expected = _expected(strength)
        gradient[player] += PRIOR_BOUTS * (1 - 2 * expected)
        hessian[player, player] += 2 * PRIOR_BOUTS * expected * (1 - expected)
    for (one, two), scores in results.items():
        expected, bouts = _expected(strengths[one] - strengths[two]), sum(scores.values())
        ahead = sum(count * score for score, count in scores.items()) - bouts * expected
        gradient[[one, two]] += (ahead, -ahead)
        weight = bouts * expected * (1 - expected)
        hessian[np.ix_([one, two], [one, two])] += weight * np.array([[1, -1], [-1, 1]])
    return gradient, hessian


def _score_covariance(strengths: Any, results: PairScores) -> Any:
    """The middle of the sandwich: squared residuals of the scores, pair by pair."""
    covariance = np.zeros((len(strengths), len(strengths)))
    pseudo_bouts = Z_SCORE_95**2 / 2
    for (one, two), scores in results.items():
        expected = _expected(strengths[one] - strengths[two])
        squares = sum(count * (score - expected) ** 2 for score, count in scores.items())
        squares += pseudo_bouts * (expected**2 + (1 - expected) ** 2)
        covariance[np.ix_([one, two], [one, two])] += squares * np.array([[1, -1], [-1, 1]])
    return covariance
