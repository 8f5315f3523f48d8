"""The simplex method by a group of lanes: one matrix game in shared memory.

It takes the steps of `simplex.game_value`, with rows or columns dealt out to lanes. Rare cases
(many pivots, a wide gap) are left to that module, with Bland's rule and iterative refinement.
"""

from math import inf
from typing import Any, Final, NamedTuple

from evenodds.kernels.gpu.cuda import device_function
from evenodds.kernels.gpu.lanes import LaneOperations
from evenodds.simplex.tableau import (
    INFINITE_RATIO,
    NEGLIGIBLE_SLOPE,
    PIVOT_TOLERANCE,
    RATIO_TEST_TOLERANCE,
)

MAX_GAP: Final = 1e-12
"""A game with a wider duality gap is solved again by the method with refinement."""


class Tableau(NamedTuple):
    """Arrays of one group in shared memory."""

    payoff: Any
    cells: Any
    """The tableau without its last column; the last row holds reduced costs."""
    limits: Any
    """The last column of the tableau: right-hand sides."""
    factors: Any
    rows: Any
    columns: Any
    row_mix: Any
    column_mix: Any


class MatrixSolver(NamedTuple):
    """Device functions on the game in `tableau.payoff`; all lanes of a group call them together."""

    saddle: Any
    optimise: Any
    guarantees: Any


def matrix_solver(group: LaneOperations, lanes: int) -> MatrixSolver:
    """The simplex method for groups of so many lanes."""
    sync, least, total, first_least = group.sync, group.least, group.total, group.first_least

    @device_function
    def saddle(tableau: Any, height: int, width: int, lane: int, mask: int) -> tuple[float, float]:
        """What pure picks guarantee to the row player, and to the column player."""
        low = inf
        for i in range(lane, height, lanes):
            worst = inf
            for j in range(width):
                worst = min(worst, tableau.payoff[i, j])
            low = min(low, -worst)
        high = inf
        for j in range(lane, width, lanes):
            top = -inf
            for i in range(height):
                top = max(top, tableau.payoff[i, j])
            high = min(high, top)
        return -least(mask, low), least(mask, high)

    @device_function
    def fill(tableau: Any, height: int, width: int, shift: float, lane: int) -> None:
        for j in range(lane, width, lanes):
            for i in range(height):
                tableau.cells[i, j] = tableau.payoff[i, j] + shift
            tableau.cells[height, j] = -1.0
            tableau.columns[j] = j
            tableau.column_mix[j] = 0.0
        for i in range(lane, height, lanes):
            tableau.limits[i] = 1.0
            tableau.rows[i] = width + i
            tableau.row_mix[i] = 0.0
        if lane == 0:
            tableau.limits[height] = 0.0

    @device_function
    def entering(tableau: Any, height: int, width: int, lane: int, mask: int) -> int:
        cost, column = -PIVOT_TOLERANCE, -1
        for j in range(lane, width, lanes):
            if tableau.cells[height, j] < cost:
                cost, column = tableau.cells[height, j], j
        cost, column = first_least(mask, cost, column)
        return int(column)

    @device_function
    def leaving(tableau: Any, height: int, width: int, column: int, lane: int, mask: int) -> int:
        bound = INFINITE_RATIO
        for i in range(lane, height, lanes):
            slope = tableau.cells[i, column]
            limit = (max(0.0, tableau.limits[i]) + RATIO_TEST_TOLERANCE) / (
                slope if slope > PIVOT_TOLERANCE else NEGLIGIBLE_SLOPE
            )
            bound = min(bound, limit)
        bound = least(mask, bound)
        steepest, row = -PIVOT_TOLERANCE, -1
        for i in range(lane, height, lanes):
            slope = tableau.cells[i, column]
            if -slope < steepest and tableau.limits[i] <= bound * slope:
                steepest, row = -slope, i
        steepest, row = first_least(mask, steepest, row)
        return int(row)

    @device_function
    def pivot(
        tableau: Any, height: int, width: int, row: int, column: int, lane: int, mask: int
    ) -> None:
        for i in range(lane, height + 1, lanes):
            tableau.factors[i] = tableau.cells[i, column]
        sync(mask)
        inverse = 1.0 / tableau.factors[row]
        for j in range(lane, width, lanes):
            share = inverse if j == column else tableau.cells[row, j] * inverse
            for i in range(height + 1):
                before = 0.0 if j == column else tableau.cells[i, j]
                tableau.cells[i, j] = before - tableau.factors[i] * share
            tableau.cells[row, j] = share
        limit = tableau.limits[row] * inverse
        sync(mask)
        for i in range(lane, height + 1, lanes):
            if i == row:
                tableau.limits[i] = limit
            else:
                tableau.limits[i] -= tableau.factors[i] * limit
        if lane == 0:
            leaves = tableau.rows[row]
            tableau.rows[row] = tableau.columns[column]
            tableau.columns[column] = leaves
        sync(mask)

    @device_function
    def read_mixes(tableau: Any, height: int, width: int, lane: int, mask: int) -> None:
        """Both mixes from an optimal tableau, scaled to sum to 1."""
        whole = 0.0
        for i in range(lane, height, lanes):
            whole += max(0.0, tableau.limits[i]) if tableau.rows[i] < width else 0.0
        whole = total(mask, whole)
        for i in range(lane, height, lanes):
            if tableau.rows[i] < width:
                tableau.column_mix[tableau.rows[i]] = max(0.0, tableau.limits[i]) / whole
        whole = 0.0
        for j in range(lane, width, lanes):
            whole += max(0.0, tableau.cells[height, j]) if tableau.columns[j] >= width else 0.0
        whole = total(mask, whole)
        for j in range(lane, width, lanes):
            if tableau.columns[j] >= width:
                share = max(0.0, tableau.cells[height, j]) / whole
                tableau.row_mix[tableau.columns[j] - width] = share
        sync(mask)

    @device_function
    def guarantees(
        tableau: Any, height: int, width: int, lane: int, mask: int
    ) -> tuple[float, float]:
        """What the row mix wins at least and the column mix concedes at most."""
        upper = inf
        for i in range(lane, height, lanes):
            gives = 0.0
            for j in range(width):
                gives += tableau.column_mix[j] * tableau.payoff[i, j]
            upper = min(upper, -gives)
        lower = inf
        for j in range(lane, width, lanes):
            wins = 0.0
            for i in range(height):
                wins += tableau.row_mix[i] * tableau.payoff[i, j]
            lower = min(lower, wins)
        return least(mask, lower), -least(mask, upper)

    @device_function
    def optimise(tableau: Any, height: int, width: int, shift: float, lane: int, mask: int) -> bool:
        """Leave optimal mixes in the tableau; False when it took too many pivots."""
        fill(tableau, height, width, shift, lane)
        sync(mask)
        for _ in range(4 * (height + width)):
            column = entering(tableau, height, width, lane, mask)
            row = -1
            if column >= 0:
                row = leaving(tableau, height, width, column, lane, mask)
            if row < 0:
                read_mixes(tableau, height, width, lane, mask)
                return True
            pivot(tableau, height, width, row, column, lane, mask)
        return False

    return MatrixSolver(saddle, optimise, guarantees)
