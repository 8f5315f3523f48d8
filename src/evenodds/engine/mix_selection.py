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
    work, mix = make_dictionary(height, width), [0.0] * height
    begin(work, payoff, height, width)
    maximise(work, width, height)
    columns = drop_columns(work, width, height)
    for pick in range(height):
        set_objective(work, width, columns, pick)
        maximise(work, width, columns)
        read_mix(work, width, height, mix)
        if mix[pick] > selected[pick] + EQUALITY_TOLERANCE:
            return False
    return True


@rule
def select_mix(work: Dictionary, payoff: Any, height: int, width: int, shares: Any) -> None:
    """Write the selected optimal mix of the row player into `shares`.

    Often the optimal mix is unique, which shows at once: no column is left.
    """
    begin(work, payoff, height, width)
    rows, columns = width, height
    maximise(work, rows, columns)
    columns = drop_columns(work, rows, columns)
    if columns > 0:
        rows, columns = gain_from_mistakes(work, rows, columns, height, width)
    number = 0
    while columns > 0 and number < height:
        set_objective(work, rows, columns, number)
        maximise(work, rows, columns)
        columns = drop_columns(work, rows, columns)
        number += 1
    read_mix(work, rows, height, shares)


@rule
def begin(work: Dictionary, payoff: Any, height: int, width: int) -> None:
    """The dictionary of the best pure pick."""
    _, _, own, reply, _ = find_saddle(work, payoff, height, width)
    begin_at(work, payoff, height, width, own, reply)


@rule
def gain_from_mistakes(
    work: Dictionary, rows: int, columns: int, height: int, width: int
) -> tuple[int, int]:
    """Maximise the least gain over all mistakes, then over those left; the new rows and columns."""
    least = height + width
    for variable in range(least + 1):
        work.marked[variable] = height <= variable < least
    left = mark_raisable(work, rows, columns, height, width)
    while left > 0 and columns > 0:
        columns += 1
        add_minimum_variable(work, rows, columns, least)
        maximise(work, rows, columns)
        columns = drop_columns(work, rows, columns)
        rows = drop_row(work, rows, least)
        before = left
        left = mark_raisable(work, rows, columns, height, width)
        if left == before:
            break  # no progress: what is left to gain is rounding
    return rows, columns


@rule
def mark_raisable(work: Dictionary, rows: int, columns: int, height: int, width: int) -> int:
    """Keep those marks whose gain some remaining mix can raise above 0; how many."""
    found = 0
    for j in range(width):
        work.raised[height + j] = False
    while True:
        set_sum_objective(work, rows, columns)
        maximise(work, rows, columns)
        more = 0
        for row in range(rows):
            variable = work.basic[row]
            if work.marked[variable] and work.cells[row][0] > EQUALITY_TOLERANCE:
                work.marked[variable] = False
                work.raised[variable] = True
                more += 1
        found += more
        if more == 0:
            break
    for j in range(width):
        work.marked[height + j] = work.raised[height + j]
    return found


@rule
def set_sum_objective(work: Dictionary, rows: int, columns: int) -> None:
    """Make the sum of all marked gains the objective."""
    for column in range(columns + 1):
        share = 1.0 if column > 0 and work.marked[work.nonbasic[column]] else 0.0
        for row in range(rows):
            if work.marked[work.basic[row]]:
                share += work.cells[row][column]
        work.cells[rows][column] = share


@rule
def add_minimum_variable(work: Dictionary, rows: int, columns: int, least: int) -> None:
    """Subtract the minimum from all marked gains as a variable of its own, the objective.

    From here on a marked gain is the excess over the minimum.
    """
    work.nonbasic[columns] = least
    set_objective(work, rows, columns, least)
    for row in range(rows):
        share = -1.0 if work.marked[work.basic[row]] else 0.0
        for column in range(1, columns):
            if work.marked[work.nonbasic[column]]:
                share += work.cells[row][column]
        work.cells[row][columns] = share


@rule
def read_mix(work: Dictionary, rows: int, height: int, shares: Any) -> None:
    """Read the shares, with those below the tolerance set to 0, scaled to sum to 1."""
    total = 0.0
    for i in range(height):
        share = value_of(work, rows, i)
        shares[i] = share if share > EQUALITY_TOLERANCE else 0.0
        total += shares[i]
    for i in range(height):
        shares[i] /= total


@rule
def drop_columns(work: Dictionary, rows: int, columns: int) -> int:
    """Drop every column that would lower the objective; how many are left."""
    # Backwards: the last column moves into the gap, and it has been examined already.
    column = columns
    while column > 0:
        if work.cells[rows][column] < -EQUALITY_TOLERANCE:
            for row in range(rows + 1):
                work.cells[row][column] = work.cells[row][columns]
            work.nonbasic[column] = work.nonbasic[columns]
            columns -= 1
        column -= 1
    return columns


@rule
def copy_row(work: Dictionary, source: int, target: int) -> None:
    """Write one row over another."""
    for column in range(len(work.nonbasic)):
        work.cells[target][column] = work.cells[source][column]


@rule
def drop_row(work: Dictionary, rows: int, variable: int) -> int:
    """Drop the row of a variable; how many are left. The objective has to be set again."""
    for row in range(rows):
        if work.basic[row] == variable:
            rows -= 1
            copy_row(work, rows, row)
            work.basic[row] = work.basic[rows]
            break
    return rows


@rule
def set_objective(work: Dictionary, rows: int, columns: int, variable: int) -> None:
    """Make a variable the objective."""
    for column in range(columns + 1):
        work.cells[rows][column] = 1.0 if work.nonbasic[column] == variable else 0.0
    for row in range(rows):
        if work.basic[row] == variable:
            copy_row(work, row, rows)


@rule
def value_of(work: Dictionary, rows: int, variable: int) -> float:
    """The value of a variable; 0 where it is nonbasic."""
    found = 0.0
    for row in range(rows):
        if work.basic[row] == variable:
            found = work.cells[row][0]
    return found
