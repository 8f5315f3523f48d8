"""Equilibrium selection: one optimal mix of a matrix game by Dresher's procedure.

Dresher's procedure: among the mixes that guarantee the value, those that gain most from the other's
mistakes. A mistake is a column against which some optimal mix wins more than the value. Maximise
the least gain over all mistakes, then the least over those that can still be raised, and so on.
Remaining ties are broken by maximising the share of the smallest number, then of the next.

The objectives are maximised one after another on one `Dictionary`. Its variables are the shares
of the picks, then the gains over the value against each column; last comes the minimum gain. The
functions are marked as rules: they run interpreted for one position, and compiled for millions.
"""

from typing import Any, Final

from evenodds.core.vocabulary import rule
from evenodds.engine.simplex import (
    Dictionary,
    begin_at,
    find_saddle,
    make_dictionary,
    maximise,
    read_row_mix,
)

EQUALITY_TOLERANCE: Final = 1e-9
"""Shares, gains and reduced costs below this count as 0. Of the method alone: it may change without
the tolerance for values of positions."""


def selected_mix(payoff: Any) -> list[float]:
    """The selected optimal mix of the row player, who maximises the payoff."""
    height, width = len(payoff), len(payoff[0])
    shares = [0.0] * height
    select_mix(make_dictionary(height, width), payoff, height, width, shares)
    return shares


def is_only_mix(payoff: Any, selected: Any) -> bool:
    """Whether the row player has no optimal mix but the selected one.

    Any other would give some pick a greater share, so the maximum share of each pick decides.
    """
    height, width = len(payoff), len(payoff[0])
    work = make_dictionary(height, width)
    columns = keep_optimal(work, payoff, height, width)
    for pick in range(height):
        mark_only(work, pick, pick + 1)
        set_objective(work, width, columns)
        maximise(work, width, columns)
        if work.cells[width][0] > selected[pick] + EQUALITY_TOLERANCE:
            return False
    return True


@rule
def select_mix(work: Dictionary, payoff: Any, height: int, width: int, shares: Any) -> None:
    """Write the selected optimal mix of the row player into `shares`.

    Often the optimal mix is unique, which shows at once: no column is left.
    """
    rows, columns = width, keep_optimal(work, payoff, height, width)
    if columns > 0:
        rows, columns = gain_from_mistakes(work, rows, columns, height, width)
    number = 0
    while columns > 0 and number < height:
        mark_only(work, number, number + 1)
        set_objective(work, rows, columns)
        columns = keep_maximal(work, rows, columns)
        number += 1
    read_row_mix(work, rows, height, shares, EQUALITY_TOLERANCE)


@rule
def keep_optimal(work: Dictionary, payoff: Any, height: int, width: int) -> int:
    """The dictionary of all mixes that guarantee the value; how many columns are left."""
    _, _, own, reply, _ = find_saddle(work, payoff, height, width)
    begin_at(work, payoff, height, width, own, reply)
    return keep_maximal(work, width, height)


@rule
def keep_maximal(work: Dictionary, rows: int, columns: int) -> int:
    """Maximise the objective, and drop every column that would lower it; how many are left."""
    maximise(work, rows, columns)
    # Backwards: the last column moves into the gap, and it has been examined already.
    for column in range(columns, 0, -1):
        if work.cells[rows][column] < -EQUALITY_TOLERANCE:
            for row in range(rows + 1):
                work.cells[row][column] = work.cells[row][columns]
            work.nonbasic[column] = work.nonbasic[columns]
            columns -= 1
    return columns


@rule
def gain_from_mistakes(
    work: Dictionary, rows: int, columns: int, height: int, width: int
) -> tuple[int, int]:
    """Maximise the least gain over all mistakes, then over those left; the new rows and columns."""
    least = height + width
    mark_only(work, height, least)
    before, left = 0, mark_raisable(work, rows, columns)
    while left > 0 and left != before and columns > 0:  # no progress: what is left is rounding
        columns += 1
        add_minimum_variable(work, rows, columns, least)
        columns = keep_maximal(work, rows, columns)
        rows = drop_row(work, rows, least)
        before, left = left, mark_raisable(work, rows, columns)
    return rows, columns


@rule
def mark_raisable(work: Dictionary, rows: int, columns: int) -> int:
    """Keep those marks whose gain some remaining mix can raise above 0; how many."""
    for variable in range(len(work.marked)):
        work.raised[variable] = False
    found, more = 0, 1
    while more > 0:
        set_objective(work, rows, columns)
        maximise(work, rows, columns)
        more = 0
        for row in range(rows):
            variable = work.basic[row]
            if work.marked[variable] and work.cells[row][0] > EQUALITY_TOLERANCE:
                work.marked[variable] = False
                work.raised[variable] = True
                more += 1
        found += more
    for variable in range(len(work.marked)):
        work.marked[variable] = work.raised[variable]
    return found


@rule
def mark_only(work: Dictionary, begin: int, end: int) -> None:
    """Mark the variables of a range and no others."""
    for variable in range(len(work.marked)):
        work.marked[variable] = begin <= variable < end


@rule
def set_objective(work: Dictionary, rows: int, columns: int) -> None:
    """Make the sum of all marked variables the objective."""
    objective = work.cells[rows]
    for column in range(columns + 1):
        objective[column] = 1.0 if column > 0 and work.marked[work.nonbasic[column]] else 0.0
    for row in range(rows):
        if work.marked[work.basic[row]]:
            for column in range(columns + 1):
                objective[column] += work.cells[row][column]


@rule
def add_minimum_variable(work: Dictionary, rows: int, columns: int, least: int) -> None:
    """Subtract the minimum from all marked gains as a variable of its own, the objective.

    From here on a marked gain is the excess over the minimum.
    """
    work.nonbasic[columns] = least
    for column in range(columns + 1):
        work.cells[rows][column] = 1.0 if column == columns else 0.0
    for row in range(rows):
        share = -1.0 if work.marked[work.basic[row]] else 0.0
        for column in range(1, columns):
            if work.marked[work.nonbasic[column]]:
                share += work.cells[row][column]
        work.cells[row][columns] = share


@rule
def drop_row(work: Dictionary, rows: int, variable: int) -> int:
    """Drop the row of a variable; how many are left. The objective has to be set again."""
    for row in range(rows):
        if work.basic[row] == variable:
            rows -= 1
            work.basic[row] = work.basic[rows]
            for column in range(len(work.nonbasic)):
                work.cells[row][column] = work.cells[rows][column]
            break
    return rows
