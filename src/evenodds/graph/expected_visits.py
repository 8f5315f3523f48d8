"""Expected visits of each position in cyclic games, by iteration and GMRES."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

NEGLIGIBLE_MASS: Final = 1e-17
"""Of all matches, so few that no figure shows them."""
STEPS_BEFORE_SOLVING: Final = 200
"""Picks that are followed one by one before the rest of long play is solved for as a whole."""
MAX_KRYLOV_VECTORS: Final = 120
MAX_KRYLOV_BYTES: Final = 1 << 30
"""Bytes that these vectors may take."""
STEPS_PER_RESIDUAL_CHECK: Final = 10
GMRES_TOLERANCE: Final = 1e-13

MassTransition = Callable[[Any], Any]
"""Where the mass of matches is one pick later; what has ended is gone."""


def total_visits(step: MassTransition, start: Any) -> Any:
    """The sum of all masses from the start on, until every match has ended.

    Play that hardly ever ends would take millions of steps. What is left after some of them is the
    solution of x - step(x) = mass; what that misses is followed again, as often as it takes.
    """
    visits, mass = np.zeros(start.size), start
    while True:
        for _ in range(STEPS_BEFORE_SOLVING):
            visits += mass
            mass = step(mass)
            if np.abs(mass).sum() <= NEGLIGIBLE_MASS:
                return visits
        found = _solved(step, mass)
        missed = mass - (found - step(found))
        if np.abs(missed).sum() < np.abs(mass).sum():
            visits, mass = visits + found, missed
        if np.abs(mass).sum() <= NEGLIGIBLE_MASS * visits.sum():
            return visits


def _solved(step: MassTransition, mass: Any) -> Any:
    """Nearly the x with x - step(x) = mass: the best among what some steps span (GMRES)."""
    most = int(max(2, min(MAX_KRYLOV_VECTORS, MAX_KRYLOV_BYTES // (8 * mass.size))))
    size = np.linalg.norm(mass)
    spanned = np.zeros((most + 1, mass.size))
    shape = np.zeros((most + 1, most))
    spanned[0] = mass / size
    for count in range(most):
        along = spanned[count] - step(spanned[count])
        for _ in range(2):  # twice, as once leaves rounding in
            parts = spanned[: count + 1] @ along
            along = along - parts @ spanned[: count + 1]
            shape[: count + 1, count] += parts
        shape[count + 1, count] = np.linalg.norm(along)
        last = count == most - 1 or shape[count + 1, count] < GMRES_TOLERANCE
        if not last:
            spanned[count + 1] = along / shape[count + 1, count]
        if last or count % STEPS_PER_RESIDUAL_CHECK == STEPS_PER_RESIDUAL_CHECK - 1:
            shares, missed = _least_missed(shape[: count + 2, : count + 1], float(size))
            if last or missed < GMRES_TOLERANCE * size:
                break
    return shares @ spanned[: count + 1]


def _least_missed(shape: Any, size: float) -> tuple[Any, float]:
    """The shares of the spanned vectors that miss least, and how much they miss."""
    goal = np.zeros(len(shape))
    goal[0] = size
    shares = np.linalg.lstsq(shape, goal, rcond=None)[0]
    return shares, float(np.linalg.norm(shape @ shares - goal))
