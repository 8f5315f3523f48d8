"""Linear programs of a few dozen rows, solved on a dense tableau: most c x with A x >= b, x >= 0.

Used where one position is looked at closely; the loops over millions of positions have the simplex
of `matrix.py`.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

TOLERANCE: Final = 1e-11
"""A gain below this is rounding."""
STEEP: Final = 1e-10
"""A slope below this is no slope to pivot on."""
LEEWAY: Final = 1e-13
"""How far a row may be overstepped for the sake of a steeper pivot (Harris)."""


class Infeasible(ArithmeticError):
    """No x satisfies the rows."""


def maximise(goal: Vector, rows: Matrix, least: Vector, total: Vector | None = None) -> Vector:
    """The x >= 0 with most `goal @ x` where `rows @ x >= least` and, if given, `total @ x == 1`.

    Bland's rule throughout: it is slower than others and never goes in circles.
    """
    tableau, basis = _with_artificials(rows, least, total)
    count, width = goal.size, tableau.shape[1] - 1
    artificial = np.zeros(width)
    artificial[width - basis.size :] = -1.0
    _optimise(tableau, basis, artificial, width)
    if tableau[:, -1] @ artificial[basis] < -1e-8:
        raise Infeasible("no mix satisfies these conditions")
    padded = np.zeros(width)
    padded[:count] = goal
    _drive_out(tableau, basis, width - basis.size)
    _optimise(tableau, basis, padded, width - basis.size)
    found = np.zeros(width)
    found[basis] = tableau[:, -1]
    return np.maximum(found[:count], 0.0)


def _with_artificials(rows: Matrix, least: Vector, total: Vector | None) -> tuple[Matrix, Any]:
    """Rows as equations with surplus and one artificial variable each, right sides not negative."""
    height, count = rows.shape
    equations = height + (total is not None)
    surplus = np.zeros((equations, height))
    surplus[:height, :height] = -np.eye(height)
    left = rows if total is None else np.vstack([rows, total])
    right = least if total is None else np.append(least, 1.0)
    body = np.hstack([left, surplus])
    signs = np.where(right < 0, -1.0, 1.0)
    body, right = body * signs[:, None], right * signs
    tableau = np.hstack([body, np.eye(equations), right[:, None]])
    return tableau, np.arange(count + height, count + height + equations)


def _optimise(tableau: Matrix, basis: Any, goal: Vector, usable: int) -> None:
    """Pivot until no usable column gains: the steepest first, then for safety the smallest."""
    patience = 2 * tableau.shape[1]
    for pivots in range(20 * patience):
        gains = goal[:usable] - goal[basis] @ tableau[:, :usable]
        if gains.max(initial=0.0) <= TOLERANCE:
            return
        column = int(np.argmax(gains if pivots < patience else gains > TOLERANCE))
        slopes = tableau[:, column]
        rising = np.flatnonzero(slopes > STEEP)
        if not rising.size:
            return
        right = np.maximum(tableau[rising, -1], 0.0)
        bound = ((right + LEEWAY) / slopes[rising]).min()
        nearest = rising[right / slopes[rising] <= bound]
        safest = slopes[nearest] if pivots < patience else -basis[nearest]
        row = int(nearest[np.argmax(safest)])
        _pivot(tableau, basis, row, column)
    raise Infeasible("the conditions are too nearly contradictory to be solved")


def _drive_out(tableau: Matrix, basis: Any, usable: int) -> None:
    """Exchange artificial variables that stayed at zero for real ones, where that can be done."""
    for row in np.flatnonzero(basis >= usable):
        columns = np.flatnonzero(np.abs(tableau[row, :usable]) > 1e-9)
        if columns.size:
            _pivot(tableau, basis, int(row), int(columns[0]))
        else:
            tableau[row] = 0.0


def _pivot(tableau: Matrix, basis: Any, row: int, column: int) -> None:
    tableau[row] /= tableau[row, column]
    factors = tableau[:, column].copy()
    factors[row] = 0.0
    tableau -= np.outer(factors, tableau[row])
    basis[row] = column
