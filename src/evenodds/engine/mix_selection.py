"""Equilibrium selection: one optimal mix of a matrix game by Dresher's procedure.

Dresher's procedure: among the mixes that guarantee the value, those that gain most from the other's
mistakes. A mistake is a column against which some optimal mix wins more than the value. Maximise
the least gain over all mistakes, then the least over those that can still be raised, and so on.
Remaining ties are broken by maximising the share of the smallest number, then of the next.

Where play may go on for ever picks may keep the value and never earn it. There it is a mean of
optimal mixes with every pick of any: it leaves a loop if one of them does.

The objectives are maximised one after another on one `Dictionary`. Its variables are the shares
of the picks, then the gains over the value against each column; last comes the minimum gain. The
functions are marked as rules: they run interpreted for one position, and compiled for millions.
"""

from typing import Any, Final

from evenodds.core.vocabulary import rule
from evenodds.engine.simplex import (
    Dictionary,
    Workspace,
    begin_at,
    find_saddle,
    make_workspace,
    maximise,
    normalise,
    read_row_mix,
)

EQUALITY_TOLERANCE: Final = 1e-9
"""Shares, gains and reduced costs below this count as 0. Of the method alone: it may change without
the tolerance for values of positions."""
UNMARKED, MARKED, RAISED = range(3)


def selected_mix(payoff: Any, loops: bool = False) -> list[float]:
    """The selected optimal mix of the row player, who maximises the payoff."""
    height, width = len(payoff), len(payoff[0])
    shares = [0.0] * height
    select = spread_mix if loops else select_mix
    select(make_workspace(height, width), payoff, height, width, shares)
    return shares


def is_only_mix(payoff: Any, selected: Any) -> bool:
    """Whether the row player has no optimal mix but the selected one.

    Any other would give some pick a greater share, so the maximum share of each pick decides.
    """
    height, width = len(payoff), len(payoff[0])
    work = make_workspace(height, width)
    program, marks = work.dictionary, work.marks
    columns = keep_optimal(program, payoff, height, width)
    for pick in range(height):
        mark_only(marks, pick, pick + 1)
        set_objective(program, marks, width, columns)
        maximise(program, width, columns)
        if program.cells[width][0] > selected[pick] + EQUALITY_TOLERANCE:
            return False
    return True


@rule
def select_mix(work: Workspace, payoff: Any, height: int, width: int, shares: Any) -> None:
    """Write the selected optimal mix of the row player into `shares`.

    Often the optimal mix is unique, which shows at once: no column is left.
    """
    program, marks = work.dictionary, work.marks
    rows, columns = width, keep_optimal(program, payoff, height, width)
    if columns > 0:
        mark_only(marks, height, height + width)
        rows, columns = gain_from_mistakes(program, marks, rows, columns)
    number = 0
    while columns > 0 and number < height:
        mark_only(marks, number, number + 1)
        set_objective(program, marks, rows, columns)
        columns = keep_maximal(program, rows, columns)
        number += 1
    read_row_mix(program, rows, height, shares, EQUALITY_TOLERANCE)


@rule
def spread_mix(work: Workspace, payoff: Any, height: int, width: int, shares: Any) -> None:
    """Write the mean of the optimal mixes that make each pick as often as they can."""
    program, marks = work.dictionary, work.marks
    columns = keep_optimal(program, payoff, height, width)
    for pick in range(height):
        shares[pick] = 0.0
    for pick in range(height):
        mark_only(marks, pick, pick + 1)
        set_objective(program, marks, width, columns)
        maximise(program, width, columns)
        for row in range(width):
            if program.basic[row] < height:
                shares[program.basic[row]] += program.cells[row][0]
    normalise(shares, height, EQUALITY_TOLERANCE)


@rule
def keep_optimal(program: Dictionary, payoff: Any, height: int, width: int) -> int:
    """The dictionary of all mixes that guarantee the value; how many columns are left."""
    _, _, own, reply, _ = find_saddle(payoff, height, width, program.scratch)
    begin_at(program, payoff, height, width, own, reply)
    return keep_maximal(program, width, height)


@rule
def keep_maximal(program: Dictionary, rows: int, columns: int) -> int:
    """Maximise the objective, and drop every column that would lower it; how many are left."""
    cells, nonbasic = program.cells, program.nonbasic
    maximise(program, rows, columns)
    # Backwards: the last column moves into the gap, and it has been examined already.
    for column in range(columns, 0, -1):
        if cells[rows][column] < -EQUALITY_TOLERANCE:
            for row in range(rows + 1):
                cells[row][column] = cells[row][columns]
            nonbasic[column] = nonbasic[columns]
            columns -= 1
    return columns


@rule
def gain_from_mistakes(program: Dictionary, marks: Any, rows: int, columns: int) -> tuple[int, int]:
    """Maximise the least gain over all mistakes, then over those left; the new rows and columns."""
    least = len(marks) - 1
    before, left = 0, mark_raisable(program, marks, rows, columns)
    while left > 0 and left != before and columns > 0:  # no progress: what is left is rounding
        columns += 1
        add_minimum_variable(program, marks, rows, columns, least)
        columns = keep_maximal(program, rows, columns)
        rows = drop_row(program, rows, least)
        before, left = left, mark_raisable(program, marks, rows, columns)
    return rows, columns


@rule
def mark_raisable(program: Dictionary, marks: Any, rows: int, columns: int) -> int:
    """Keep those marks whose gain some remaining mix can raise above 0; how many."""
    found, more = 0, 1
    while more > 0:
        set_objective(program, marks, rows, columns)
        maximise(program, rows, columns)
        more = 0
        for row in range(rows):
            variable = program.basic[row]
            if marks[variable] == MARKED and program.cells[row][0] > EQUALITY_TOLERANCE:
                marks[variable] = RAISED
                more += 1
        found += more
    for variable in range(len(marks)):
        marks[variable] = MARKED if marks[variable] == RAISED else UNMARKED
    return found


@rule
def mark_only(marks: Any, begin: int, end: int) -> None:
    """Mark the variables of a range and no others."""
    for variable in range(len(marks)):
        marks[variable] = MARKED if begin <= variable < end else UNMARKED


@rule
def set_objective(program: Dictionary, marks: Any, rows: int, columns: int) -> None:
    """Make the sum of all marked variables the objective."""
    cells, nonbasic = program.cells, program.nonbasic
    objective = cells[rows]
    objective[0] = 0.0
    for column in range(1, columns + 1):
        objective[column] = 1.0 if marks[nonbasic[column]] == MARKED else 0.0
    for row in range(rows):
        if marks[program.basic[row]] == MARKED:
            for column in range(columns + 1):
                objective[column] += cells[row][column]


@rule
def add_minimum_variable(
    program: Dictionary, marks: Any, rows: int, columns: int, least: int
) -> None:
    """Subtract the minimum from all marked gains as a variable of its own, the objective.

    From here on a marked gain is the excess over the minimum.
    """
    cells, nonbasic = program.cells, program.nonbasic
    nonbasic[columns] = least
    for column in range(columns + 1):
        cells[rows][column] = 1.0 if column == columns else 0.0
    for row in range(rows):
        share = -1.0 if marks[program.basic[row]] == MARKED else 0.0
        for column in range(1, columns):
            if marks[nonbasic[column]] == MARKED:
                share += cells[row][column]
        cells[row][columns] = share


@rule
def drop_row(program: Dictionary, rows: int, variable: int) -> int:
    """Drop the row of a variable; how many are left. The objective has to be set again."""
    cells, basic = program.cells, program.basic
    for row in range(rows):
        if basic[row] == variable:
            rows -= 1
            basic[row] = basic[rows]
            for column in range(len(cells[row])):
                cells[row][column] = cells[rows][column]
            break
    return rows
