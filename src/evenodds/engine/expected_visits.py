"""Expected visits of each position in cyclic games, by iteration and GMRES.

Not `scipy`'s GMRES: it is as fast and as exact, but takes 150 MB and twice numpy's time to import.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

NEGLIGIBLE_MASS: Final = 1e-17
"""A share of all matches too small to change any figure."""
STEPS_BEFORE_SOLVING: Final = 200
"""Steps that are iterated before the rest is solved by GMRES."""
MAX_KRYLOV_VECTORS: Final = 120
MAX_KRYLOV_BYTES: Final = 1 << 30
"""Memory of these vectors."""
STEPS_PER_RESIDUAL_CHECK: Final = 10
GMRES_TOLERANCE: Final = 1e-13

MassTransition = Callable[[Any], Any]
"""The mass of matches at each position one pick later; that of ended matches is dropped."""


def total_visits(step: MassTransition, start: Any) -> Any:
    """The sum of the masses of all steps, until every match has ended.

    Play that hardly ever ends would take millions of steps. So the rest after some steps is solved
    for: x - step(x) = mass. The residual is iterated and solved again until it is negligible.
    """
    visits, mass = np.zeros(start.size), start
    while True:
        for _ in range(STEPS_BEFORE_SOLVING):
            visits += mass
            mass = step(mass)
            if np.abs(mass).sum() <= NEGLIGIBLE_MASS:
                return visits
        found = _gmres(step, mass)
        residual = mass - (found - step(found))
        if np.abs(residual).sum() < np.abs(mass).sum():
            visits, mass = visits + found, residual
        if np.abs(mass).sum() <= NEGLIGIBLE_MASS * visits.sum():
            return visits


def _gmres(step: MassTransition, mass: Any) -> Any:
    """An approximate x with x - step(x) = mass: the best in a Krylov space (GMRES)."""
    max_vectors = int(max(2, min(MAX_KRYLOV_VECTORS, MAX_KRYLOV_BYTES // (8 * mass.size))))
    size = np.linalg.norm(mass)
    basis = np.zeros((max_vectors + 1, mass.size))
    hessenberg = np.zeros((max_vectors + 1, max_vectors))
    basis[0] = mass / size
    for count in range(max_vectors):
        vector = basis[count] - step(basis[count])
        for _ in range(2):  # twice: one pass of Gram-Schmidt loses orthogonality
            parts = basis[: count + 1] @ vector
            vector = vector - parts @ basis[: count + 1]
            hessenberg[: count + 1, count] += parts
        hessenberg[count + 1, count] = np.linalg.norm(vector)
        last = count == max_vectors - 1 or hessenberg[count + 1, count] < GMRES_TOLERANCE
        if not last:
            basis[count + 1] = vector / hessenberg[count + 1, count]
        if last or count % STEPS_PER_RESIDUAL_CHECK == STEPS_PER_RESIDUAL_CHECK - 1:
            shares, residual = _least_squares(hessenberg[: count + 2, : count + 1], float(size))
            if last or residual < GMRES_TOLERANCE * size:
                break
    return shares @ basis[: count + 1]


def _least_squares(hessenberg: Any, size: float) -> tuple[Any, float]:
    """The coefficients of the basis with the least residual, and that residual."""
    goal = np.zeros(len(hessenberg))
    goal[0] = size
    shares = np.linalg.lstsq(hessenberg, goal, rcond=None)[0]
    return shares, float(np.linalg.norm(hessenberg @ shares - goal))
