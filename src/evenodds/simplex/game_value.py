"""Value and duality gap of zero-sum matrix games, by the simplex method on a dense tableau.

The row player maximises `payoff[i][j]`, the column player minimises it. The functions are marked as
rules: they run interpreted on small games, and compiled where there are millions of matrices.
"""

from math import inf
from typing import Any, Final, NamedTuple

from evenodds.core.vocabulary import rule

PIVOT_TOLERANCE: Final = 1e-12
"""Reduced costs and slopes below this are rounding."""

REFINEMENT_GAP: Final = 1e-13
"""A duality gap above this is worth a step of iterative refinement."""
RATIO_TEST_TOLERANCE: Final = 1e-11
"""How far a row may be violated for the sake of a larger pivot (Harris)."""
INFINITE_RATIO: Final = 1e300
"""Above any ratio that limits a column."""
NEGLIGIBLE_SLOPE: Final = 1e-200
"""Replaces a slope that limits nothing: a select is cheaper than a branch."""

PURE: Final = 0
MIXED: Final = 1


class SimplexWorkspace(NamedTuple):
    """Arrays for a solve, allocated once and used for many matrices."""

    payoff: Any
    tableau: Any
    rows: Any
    columns: Any
    row_mix: Any
    column_mix: Any
    scratch: Any


def make_simplex_workspace(size: int) -> SimplexWorkspace:
    """A workspace for matrices up to `size` by `size`."""
    return SimplexWorkspace(
        [[0.0] * size for _ in range(size)],
        [[0.0] * (size + 1) for _ in range(size + 1)],
        [0] * size,
        [0] * size,
        [0.0] * size,
        [0.0] * size,
        [0.0] * size,
    )


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
def fill_tableau(workspace: SimplexWorkspace, height: int, width: int, shift: float) -> None:
    """The column player's linear program: maximise sum(q) with (A + shift) q <= 1, q >= 0.

    `shift` makes all payoffs positive, so that q = 0 is feasible and the program is bounded. The
    tableau is condensed: a pivot exchanges the variable of a row with that of a column. Column
    variables are 0 to width - 1, the slack of row i is width + i.
    """
    tableau = workspace.tableau
    for i in range(height):
        line = tableau[i]
        payoff = workspace.payoff[i]
        for j in range(width):
            line[j] = payoff[j] + shift
        line[width] = 1.0
        workspace.rows[i] = width + i
    for j in range(width):
        tableau[height][j] = -1.0
        workspace.columns[j] = j
    tableau[height][width] = 0.0


@rule
def pivot_until_optimal(
    workspace: SimplexWorkspace, height: int, width: int, dantzig_pivots: int
) -> int:
    """Pivot until optimal; the number of pivots.

    Dantzig's rule (the steepest column) needs few pivots, but may cycle on degenerate matrices. So
    after `dantzig_pivots` Bland's rule (the smallest variable) takes over, which cannot cycle.
    """
    pivots = 0
    while True:
        use_bland = pivots >= dantzig_pivots
        column = entering_column(workspace, height, width, use_bland)
        if column < 0:
            return pivots
        row = leaving_row(workspace, height, width, column, use_bland)
        if row < 0:
            return pivots  # only by rounding: positive payoffs bound every column
        pivot_on(workspace, height, width, row, column)
        pivots += 1


@rule
def entering_column(workspace: SimplexWorkspace, height: int, width: int, use_bland: bool) -> int:
    """The entering column: the steepest, or by Bland the smallest variable; -1 when optimal."""
    costs = workspace.tableau[height]
    best = -1
    if use_bland:
        for j in range(width):
            smaller = best < 0 or workspace.columns[j] < workspace.columns[best]
            best = j if costs[j] < -PIVOT_TOLERANCE and smaller else best
        return best
    steepest = -PIVOT_TOLERANCE
    for j in range(width):
        cost = costs[j]
        steeper = cost < steepest
        best = j if steeper else best
        steepest = cost if steeper else steepest
    return best


@rule
def leaving_row(
    workspace: SimplexWorkspace, height: int, width: int, column: int, use_bland: bool
) -> int:
    """The leaving row by Harris's ratio test: the first to limit the column, within a tolerance.

    Of the rows within it, the one with the largest pivot, which keeps rounding small, or by Bland
    the smallest variable; -1 for none.
    """
    tableau = workspace.tableau
    bound = INFINITE_RATIO
    for i in range(height):
        slope = tableau[i][column]
        limit = (max(0.0, tableau[i][width]) + RATIO_TEST_TOLERANCE) / (
            slope if slope > PIVOT_TOLERANCE else NEGLIGIBLE_SLOPE
        )
        bound = min(bound, limit)
    best = -1
    steepest = PIVOT_TOLERANCE
    for i in range(height):
        slope = tableau[i][column]
        if slope <= PIVOT_TOLERANCE or tableau[i][width] > bound * slope:
            continue
        if best < 0 or (
            workspace.rows[i] < workspace.rows[best] if use_bland else slope > steepest
        ):
            best = i
            steepest = slope
    return best


@rule
def pivot_on(workspace: SimplexWorkspace, height: int, width: int, row: int, column: int) -> None:
    """One pivot of the condensed tableau."""
    tableau = workspace.tableau
    pivot = tableau[row]
    inverse = 1.0 / pivot[column]
    for j in range(width + 1):
        pivot[j] *= inverse
    pivot[column] = inverse
    for i in range(height + 1):
        line = tableau[i]
        factor = line[column]
        if i != row and factor != 0.0:
            line[column] = 0.0
            for j in range(width + 1):
                line[j] -= factor * pivot[j]
    workspace.rows[row], workspace.columns[column] = workspace.columns[column], workspace.rows[row]


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
