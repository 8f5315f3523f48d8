"""The condensed tableau of a zero-sum matrix game, and its pivots by the simplex method.

The functions are marked as rules: they run over plain lists, and compiled over arrays.
"""

from typing import Any, Final, NamedTuple

from evenodds.core.vocabulary import rule

PIVOT_TOLERANCE: Final = 1e-12
"""Reduced costs and slopes below this are rounding."""
RATIO_TEST_TOLERANCE: Final = 1e-11
"""How far a row may be violated for the sake of a larger pivot (Harris)."""
INFINITE_RATIO: Final = 1e300
"""Above any ratio that limits a column."""
NEGLIGIBLE_SLOPE: Final = 1e-200
"""Replaces a slope that limits nothing: a select is cheaper than a branch."""


class SimplexWorkspace(NamedTuple):
    """Arrays for a solve, allocated once and used for many matrices."""

    payoff: Any
    tableau: Any
    rows: Any
    columns: Any
    row_mix: Any
    column_mix: Any
    scratch: Any
    """As long as a row of the tableau."""


def make_simplex_workspace(size: int) -> SimplexWorkspace:
    """A workspace for matrices up to `size` by `size`.

    Compiled loops are fastest where `size + 1` is a multiple of 4 (`row_length`).
    """
    return SimplexWorkspace(
        [[0.0] * size for _ in range(size)],
        [[0.0] * (size + 1) for _ in range(size + 1)],
        [0] * size,
        [0] * size,
        [0.0] * size,
        [0.0] * size,
        [0.0] * (size + 1),
    )


@rule
def row_length(workspace: SimplexWorkspace, width: int) -> int:
    """How many cells of a row a pivot works on; what is beyond the last column is 0.

    A multiple of 4 where there is room: compiled, four at a time and none one by one.
    """
    return min((width + 4) & -4, len(workspace.scratch))


@rule
def fill_tableau(workspace: SimplexWorkspace, height: int, width: int, shift: float) -> None:
    """The column player's linear program: maximise sum(q) with (A + shift) q <= 1, q >= 0.

    `shift` makes all payoffs positive, so that q = 0 is feasible and the program is bounded. The
    tableau is condensed: a pivot exchanges the variable of a row with that of a column. Column
    variables are 0 to width - 1, the slack of row i is width + i.
    """
    tableau = workspace.tableau
    cells = row_length(workspace, width)
    for i in range(height):
        line = tableau[i]
        payoff = workspace.payoff[i]
        for j in range(width):
            line[j] = payoff[j] + shift
        line[width] = 1.0
        for j in range(width + 1, cells):
            line[j] = 0.0
        workspace.rows[i] = width + i
    for j in range(width):
        tableau[height][j] = -1.0
        workspace.columns[j] = j
    for j in range(width, cells):
        tableau[height][j] = 0.0


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
    if use_bland:
        for i in range(height):
            slope = tableau[i][column]
            if slope > PIVOT_TOLERANCE and tableau[i][width] <= bound * slope:
                best = i if best < 0 or workspace.rows[i] < workspace.rows[best] else best
        return best
    steepest = PIVOT_TOLERANCE
    for i in range(height):
        slope = tableau[i][column]
        # In this order: few rows pass the first comparison, and about half the second.
        if tableau[i][width] <= bound * slope and slope > steepest:
            best = i
            steepest = slope
    return best


@rule
def pivot_on(workspace: SimplexWorkspace, height: int, width: int, row: int, column: int) -> None:
    """One pivot of the condensed tableau."""
    tableau = workspace.tableau
    cells = row_length(workspace, width)
    line = tableau[row]
    pivot = workspace.scratch  # apart from the tableau, so that the compiler uses vectors
    inverse = 1.0 / line[column]
    for j in range(cells):
        line[j] *= inverse
        pivot[j] = line[j]
    line[column] = inverse
    for i in range(height + 1):
        line = tableau[i]
        factor = line[column]
        if i != row and factor != 0.0:
            for j in range(cells):
                line[j] -= factor * pivot[j]
            line[column] = -factor * inverse  # last: one number written would delay vectors
    workspace.rows[row], workspace.columns[column] = workspace.columns[column], workspace.rows[row]
