"""Linear programs with a sequence of objectives, solved by the simplex method.

Each row says what a variable holds, as a constant and so much of every free variable; the free ones
are zero, and none may fall below zero. The last row is the goal. When a goal stands as high as it
can, every free variable that would lower it has to stay zero, and its column is dropped: what is
left are the ways in which nothing of the goal is lost, and the next goal is raised among them.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.core.vocabulary import rule

EQUALITY_TOLERANCE: Final = 1e-9
"""Closer than this, two figures are the same."""
LP_PIVOT_TOLERANCE: Final = 1e-11
"""A slope below this is rounding, not a reason to exchange."""
LP_RATIO_TOLERANCE: Final = 1e-13
"""How far a row may be overstepped for the sake of a steeper exchange (Harris)."""
UNBOUNDED_RATIO: Final = 1e300
DANTZIG_PIVOTS_PER_DIMENSION: Final = 4


class LinearProgram(NamedTuple):
    """Rows of conditions; column 0 holds the constants. Variables are known by their numbers."""

    body: Any
    basic: Any
    """The variable of each row."""
    free: Any
    """The variable of each column."""
    marked: Any
    raised: Any
    """Variables that are told apart: for the procedures that use a sheet."""


def make_linear_program(height: int, width: int) -> LinearProgram:
    """A sheet for the mixes of matrices up to this size."""
    variables = height + width + 1
    return LinearProgram(
        np.zeros((width + 1, height + 2)),
        np.zeros(width + 1, np.int64),
        np.full(height + 2, -1),
        np.zeros(variables, np.bool_),
        np.zeros(variables, np.bool_),
    )


@rule
def raise_goal(sheet: LinearProgram, rows: int, columns: int) -> None:
    """Exchange free variables for held ones until the goal rises no more.

    The steepest first; when patience is at its end the smallest, which cannot go in circles.
    """
    patience = DANTZIG_PIVOTS_PER_DIMENSION * (rows + columns)
    for exchanges in range(10 * patience):
        careful = exchanges >= patience
        column = rising(sheet, rows, columns, careful)
        if column == 0:
            return
        row = limiting(sheet, rows, column, careful)
        if row < 0:
            return
        exchange(sheet, rows, columns, row, column)


@rule
def rising(sheet: LinearProgram, rows: int, columns: int, careful: bool) -> int:
    """The column that raises the goal most, or the first that does; 0 for none."""
    goal = sheet.body[rows]
    best = 0
    for column in range(1, columns + 1):
        if goal[column] <= LP_PIVOT_TOLERANCE:
            continue
        if (
            best == 0
            or (careful and sheet.free[column] < sheet.free[best])
            or (not careful and goal[column] > goal[best])
        ):
            best = column
    return best


@rule
def limiting(sheet: LinearProgram, rows: int, column: int, careful: bool) -> int:
    """The row that runs out first as a column rises, or so nearly first that rounding cannot tell.

    Among those the steepest, which keeps rounding small, or the smallest variable; -1 for none.
    """
    body = sheet.body
    bound = UNBOUNDED_RATIO
    for row in range(rows):
        slope = -body[row, column]
        if slope > LP_PIVOT_TOLERANCE:
            bound = min(bound, (max(0.0, body[row, 0]) + LP_RATIO_TOLERANCE) / slope)
    best = -1
    for row in range(rows):
        slope = -body[row, column]
        if slope <= LP_PIVOT_TOLERANCE or max(0.0, body[row, 0]) > bound * slope:
            continue
        if best < 0 or (
            sheet.basic[row] < sheet.basic[best] if careful else slope > -body[best, column]
        ):
            best = row
    return best


@rule
def exchange(sheet: LinearProgram, rows: int, columns: int, row: int, column: int) -> None:
    """Free the variable of a row and hold that of a column instead."""
    pivot = sheet.body[row, : columns + 1]
    inverse = 1.0 / pivot[column]
    pivot *= -inverse
    pivot[column] = inverse
    for place in range(rows + 1):
        line = sheet.body[place, : columns + 1]
        factor = line[column]
        if place != row and factor != 0.0:
            line[column] = 0.0
            line += factor * pivot
    sheet.basic[row], sheet.free[column] = sheet.free[column], sheet.basic[row]


@rule
def drop(sheet: LinearProgram, rows: int, columns: int) -> int:
    """Leave out every column that would lower the goal; how many are left."""
    column = columns
    while column > 0:
        if sheet.body[rows, column] < -EQUALITY_TOLERANCE:
            for row in range(rows + 1):
                sheet.body[row, column] = sheet.body[row, columns]
            sheet.free[column] = sheet.free[columns]
            columns -= 1
        column -= 1
    return columns


@rule
def copy_row(sheet: LinearProgram, source: int, target: int) -> None:
    """Write one row over another."""
    for column in range(sheet.body.shape[1]):
        sheet.body[target, column] = sheet.body[source, column]


@rule
def drop_row(sheet: LinearProgram, rows: int, variable: int) -> int:
    """Leave out the row of a variable that is settled; how many are left."""
    for row in range(rows):
        if sheet.basic[row] == variable:
            rows -= 1
            copy_row(sheet, rows, row)
            sheet.basic[row] = sheet.basic[rows]
            break
    return rows


@rule
def aim(sheet: LinearProgram, rows: int, columns: int, variable: int) -> None:
    """Make a variable the goal."""
    for column in range(columns + 1):
        sheet.body[rows, column] = 1.0 if sheet.free[column] == variable else 0.0
    for row in range(rows):
        if sheet.basic[row] == variable:
            copy_row(sheet, row, rows)


@rule
def held(sheet: LinearProgram, rows: int, variable: int) -> float:
    """What a variable holds."""
    found = 0.0
    for row in range(rows):
        if sheet.basic[row] == variable:
            found = sheet.body[row, 0]
    return found
