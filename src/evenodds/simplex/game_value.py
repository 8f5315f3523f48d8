"""Value and duality gap of zero-sum matrix games, by the simplex method on a dense tableau.

The row player maximises `payoff[i][j]`, the column player minimises it. The functions are marked as
rules: they run interpreted on small games, and compiled where there are millions of matrices.
"""

from math import inf
from typing import Any, Final

from evenodds.core.vocabulary import rule
from evenodds.simplex.tableau import SimplexWorkspace, fill_tableau, pivot_until_optimal

REFINEMENT_GAP: Final = 1e-13
"""A duality gap above this is worth a step of iterative refinement."""
PURE: Final = 0
MIXED: Final = 1


@rule
def solve_matrix(workspace: SimplexWorkspace, height: int, width: int) -> tuple[float, float, int]:
    """Value, duality gap and kind of the game in `workspace.payoff`; leaves both mixes there.

    Where there is a saddle point it is taken: the mixes are pure and the gap is zero.
    """
    low, high = find_saddle(workspace, height, width)
    if low >= high:
        return low, 0.0, PURE
    shift = 1.0 - low
    fill_tableau(workspace, height, width, shift)
    pivot_until_optimal(workspace, height, width, 4 * (height + width))
    read_mixes(workspace, height, width)
    refined = False
    while True:
        lower, upper = guarantees(workspace, workspace.payoff, height, width)
        if refined or upper - lower <= REFINEMENT_GAP:
            break
        refine(workspace, height, width, shift)
        refined = True
    return 0.5 * (lower + upper), max(0.0, upper - lower), MIXED


@rule
def find_saddle(workspace: SimplexWorkspace, height: int, width: int) -> tuple[float, float]:
    """What pure picks guarantee to either side; leaves the best of each as pure mixes."""
    tops = workspace.scratch
    for j in range(width):
        tops[j] = -inf
    low, best_row = -inf, 0
    for i in range(height):
        line = workspace.payoff[i]
        worst = inf
        for j in range(width):
            worst = min(worst, line[j])
            tops[j] = max(tops[j], line[j])
        if worst > low:
            low, best_row = worst, i
    high, best_column = inf, 0
    for j in range(width):
        if tops[j] < high:
            high, best_column = tops[j], j
    clear_mixes(workspace, height, width)
    workspace.row_mix[best_row] = 1.0
    workspace.column_mix[best_column] = 1.0
    return low, high


@rule
def clear_mixes(workspace: SimplexWorkspace, height: int, width: int) -> None:
    """Set all shares to 0."""
    for i in range(height):
        workspace.row_mix[i] = 0.0
    for j in range(width):
        workspace.column_mix[j] = 0.0


@rule
def read_mixes(workspace: SimplexWorkspace, height: int, width: int) -> None:
    """Both mixes from an optimal tableau: the primal and the dual solution, scaled to sum to 1."""
    clear_mixes(workspace, height, width)
    for i in range(height):
        if workspace.rows[i] < width:
            workspace.column_mix[workspace.rows[i]] = workspace.tableau[i][width]
    for j in range(width):
        if workspace.columns[j] >= width:
            workspace.row_mix[workspace.columns[j] - width] = workspace.tableau[height][j]
    normalise(workspace.column_mix, width, 1.0)
    normalise(workspace.row_mix, height, 1.0)


@rule
def refine(workspace: SimplexWorkspace, height: int, width: int, shift: float) -> None:
    """One step of iterative refinement of both mixes, for rounding that the pivots added up."""
    total = workspace.tableau[height][width]
    normalise(workspace.column_mix, width, total)
    normalise(workspace.row_mix, height, total)
    refine_columns(workspace, height, width, shift)
    refine_rows(workspace, height, width, shift)
    normalise(workspace.column_mix, width, 1.0)
    normalise(workspace.row_mix, height, 1.0)


@rule
def refine_columns(workspace: SimplexWorkspace, height: int, width: int, shift: float) -> None:
    """Correct the column mix by the residuals of the binding rows.

    The tableau holds the inverse of the binding submatrix, with the rounding of all pivots; the
    residuals are computed from the original payoffs.
    """
    for j in range(width):
        if workspace.columns[j] < width:
            continue
        line = workspace.payoff[workspace.columns[j] - width]
        residual = 1.0
        for k in range(width):
            residual -= (line[k] + shift) * workspace.column_mix[k]
        workspace.scratch[j] = residual
    for i in range(height):
        if workspace.rows[i] < width:
            for j in range(width):
                if workspace.columns[j] >= width:
                    workspace.column_mix[workspace.rows[i]] += (
                        workspace.tableau[i][j] * workspace.scratch[j]
                    )


@rule
def refine_rows(workspace: SimplexWorkspace, height: int, width: int, shift: float) -> None:
    """Correct the row mix by the residuals of the binding columns."""
    for i in range(height):
        if workspace.rows[i] >= width:
            continue
        residual = 1.0
        for k in range(height):
            residual -= (workspace.payoff[k][workspace.rows[i]] + shift) * workspace.row_mix[k]
        workspace.scratch[i] = residual
    for j in range(width):
        if workspace.columns[j] >= width:
            for i in range(height):
                if workspace.rows[i] < width:
                    correction = workspace.tableau[i][j] * workspace.scratch[i]
                    workspace.row_mix[workspace.columns[j] - width] += correction


@rule
def normalise(mix: Any, size: int, whole: float) -> None:
    """Clip negative shares to 0 and scale all to sum to `whole`."""
    total = 0.0
    for place in range(size):
        mix[place] = max(0.0, mix[place])
        total += mix[place]
    for place in range(size):
        mix[place] *= whole / total


@rule
def guarantees(
    workspace: SimplexWorkspace, payoff: Any, height: int, width: int
) -> tuple[float, float]:
    """What the row mix wins at least and the column mix concedes at most: bounds on the value."""
    wins = workspace.scratch
    for j in range(width):
        wins[j] = 0.0
    upper = -inf
    for i in range(height):
        line = payoff[i]
        share = workspace.row_mix[i]
        gives = 0.0
        for j in range(width):
            gives += workspace.column_mix[j] * line[j]
            wins[j] += share * line[j]
        upper = max(upper, gives)
    lower = inf
    for j in range(width):
        lower = min(lower, wins[j])
    return lower, upper
