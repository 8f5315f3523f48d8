"""Linear programs with a sequence of objectives, solved by the simplex method.

Each row of the dictionary gives a basic variable as a constant and multiples of the nonbasic ones,
which are 0; all variables are >= 0. The last row is the objective. At an optimum, every nonbasic
variable with a negative coefficient must stay 0, and its column is dropped: what is left are the
optimal solutions, over which the next objective is maximised (lexicographic optimisation).
"""

from typing import Any, Final, NamedTuple

from evenodds.core.vocabulary import rule

EQUALITY_TOLERANCE: Final = 1e-9
"""Shares, gains and reduced costs below this count as 0. Of the method alone: it may change without
the tolerance for values of positions."""
LP_PIVOT_TOLERANCE: Final = 1e-11
"""Coefficients below this are rounding."""
LP_RATIO_TOLERANCE: Final = 1e-13
"""How far a row may be violated for the sake of a larger pivot (Harris)."""
UNBOUNDED_RATIO: Final = 1e300
DANTZIG_PIVOTS_PER_DIMENSION: Final = 4


class LinearProgram(NamedTuple):
    """A dictionary of the simplex method; column 0 holds the constants. Variables are numbered."""

    tableau: Any
    basic: Any
    """The basic variable of each row."""
    nonbasic: Any
    """The nonbasic variable of each column; column 0 has none."""
    marked: Any
    raised: Any
    """Flags of variables, for the procedures that use a program."""


def make_linear_program(height: int, width: int) -> LinearProgram:
    """Arrays for the mixes of matrices up to this size."""
    variables = height + width + 1
    return LinearProgram(
        [[0.0] * (height + 2) for _ in range(width + 1)],
        [0] * (width + 1),
        [-1] * (height + 2),
        [False] * variables,
        [False] * variables,
    )


@rule
def maximise(program: LinearProgram, rows: int, columns: int) -> None:
    """Pivot until the objective is maximal.

    Dantzig's rule first, which is fast; then Bland's rule, which cannot cycle. The limit on pivots
    guards against rounding alone.
    """
    dantzig_pivots = DANTZIG_PIVOTS_PER_DIMENSION * (rows + columns)
    for pivots in range(10 * dantzig_pivots):
        use_bland = pivots >= dantzig_pivots
        column = entering_column(program, rows, columns, use_bland)
        if column == 0:
            return
        row = leaving_row(program, rows, column, use_bland)
        if row < 0:  # unbounded, which shares are not: the column is rounding
            return
        pivot_on(program, rows, columns, row, column)


@rule
def entering_column(program: LinearProgram, rows: int, columns: int, use_bland: bool) -> int:
    """The entering column: the steepest, or by Bland the smallest variable; 0 when optimal."""
    costs = program.tableau[rows]
    best = 0
    for column in range(1, columns + 1):
        if costs[column] <= LP_PIVOT_TOLERANCE:
            continue
        if (
            best == 0
            or (use_bland and program.nonbasic[column] < program.nonbasic[best])
            or (not use_bland and costs[column] > costs[best])
        ):
            best = column
    return best


@rule
def leaving_row(program: LinearProgram, rows: int, column: int, use_bland: bool) -> int:
    """The leaving row by Harris's ratio test: the first to reach 0, within a tolerance.

    Of the rows within it the largest pivot, or by Bland the smallest variable; -1 for none.
    """
    # Two passes (Harris): the first finds how far the column may rise if every row may be violated
    # by a tolerance, the second takes the best pivot among the rows within that bound. The exact
    # minimum alone would force tiny pivots on degenerate programs, and they amplify rounding.
    # Constants slightly below 0 are rounding of earlier pivots, and count as 0.
    tableau = program.tableau
    bound = UNBOUNDED_RATIO
    for row in range(rows):
        slope = -tableau[row][column]
        if slope > LP_PIVOT_TOLERANCE:
            bound = min(bound, (max(0.0, tableau[row][0]) + LP_RATIO_TOLERANCE) / slope)
    best = -1
    for row in range(rows):
        slope = -tableau[row][column]
        if slope <= LP_PIVOT_TOLERANCE or max(0.0, tableau[row][0]) > bound * slope:
            continue
        if best < 0 or (
            program.basic[row] < program.basic[best]
            if use_bland
            else slope > -tableau[best][column]
        ):
            best = row
    return best


@rule
def pivot_on(program: LinearProgram, rows: int, columns: int, row: int, column: int) -> None:
    """Exchange the basic variable of a row with the nonbasic one of a column."""
    pivot = program.tableau[row]
    inverse = 1.0 / pivot[column]
    for k in range(columns + 1):
        pivot[k] *= -inverse
    pivot[column] = inverse
    for place in range(rows + 1):
        line = program.tableau[place]
        factor = line[column]
        if place != row and factor != 0.0:
            line[column] = 0.0  # the loop adds the new coefficient to it
            for k in range(columns + 1):
                line[k] += factor * pivot[k]
    program.basic[row], program.nonbasic[column] = program.nonbasic[column], program.basic[row]


@rule
def drop_columns(program: LinearProgram, rows: int, columns: int) -> int:
    """Drop every column that would lower the objective; how many are left."""
    # Backwards: the last column moves into the gap, and it has been examined already.
    column = columns
    while column > 0:
        if program.tableau[rows][column] < -EQUALITY_TOLERANCE:
            for row in range(rows + 1):
                program.tableau[row][column] = program.tableau[row][columns]
            program.nonbasic[column] = program.nonbasic[columns]
            columns -= 1
        column -= 1
    return columns


@rule
def copy_row(program: LinearProgram, source: int, target: int) -> None:
    """Write one row over another."""
    for column in range(len(program.nonbasic)):
        program.tableau[target][column] = program.tableau[source][column]


@rule
def drop_row(program: LinearProgram, rows: int, variable: int) -> int:
    """Drop the row of a variable; how many are left. The objective has to be set again."""
    for row in range(rows):
        if program.basic[row] == variable:
            rows -= 1
            copy_row(program, rows, row)
            program.basic[row] = program.basic[rows]
            break
    return rows


@rule
def set_objective(program: LinearProgram, rows: int, columns: int, variable: int) -> None:
    """Make a variable the objective."""
    for column in range(columns + 1):
        program.tableau[rows][column] = 1.0 if program.nonbasic[column] == variable else 0.0
    for row in range(rows):
        if program.basic[row] == variable:
            copy_row(program, row, rows)


@rule
def value_of(program: LinearProgram, rows: int, variable: int) -> float:
    """The value of a variable; 0 where it is nonbasic."""
    found = 0.0
    for row in range(rows):
        if program.basic[row] == variable:
            found = program.tableau[row][0]
    return found
