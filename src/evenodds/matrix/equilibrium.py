"""Equilibrium selection: one optimal mix of a matrix game by Dresher's procedure.

Dresher's procedure: among the mixes that guarantee the value, those that gain most from the other's
mistakes. A mistake is a pick that some best mix wins more against. Raise the least gain over all
mistakes as far as it goes, then the least over those that can still be raised, and so on. What
remains equal is settled by giving the smallest number the greatest probability, then the next.

One goal after another is raised on one sheet (`sheet.py`). The variables are the shares of the
picks, then the gains over the value against each column; last comes the least gain that is raised.
The functions are marked as rules: they run as they stand where one position is looked at, and
compiled where there are millions.
"""

from typing import Any, Final

import numpy as np

from evenodds.core.vocabulary import rule
from evenodds.matrix.linear_program import (
    EQUALITY_TOLERANCE,
    LinearProgram,
    aim,
    drop,
    drop_row,
    held,
    make_linear_program,
    raise_goal,
)

MIX_VALUE_TOLERANCE: Final = 1e-9
"""What a named mix may miss of the value through rounding."""


def named_mix(payoff: Any) -> Any:
    """The named best mix of the row player, who gains the payoff."""
    height, width = payoff.shape
    shares = np.zeros(height)
    name_mix(make_linear_program(height, width), payoff, height, width, shares)
    return shares


@rule
def name_mix(sheet: LinearProgram, payoff: Any, height: int, width: int, shares: Any) -> None:
    """Write the named best mix of the row player into `shares`.

    Often the best mix is the only one, which the sheet shows at once: no variable is left that
    could move.
    """
    begin(sheet, payoff, height, width)
    rows, columns = width, height
    raise_goal(sheet, rows, columns)
    columns = drop(sheet, rows, columns)
    if columns > 0:
        rows, columns = gain_from_mistakes(sheet, rows, columns, height, width)
    number = 0
    while columns > 0 and number < height:
        aim(sheet, rows, columns, number)
        raise_goal(sheet, rows, columns)
        columns = drop(sheet, rows, columns)
        number += 1
    read_mix(sheet, rows, height, shares)


@rule
def begin(sheet: LinearProgram, payoff: Any, height: int, width: int) -> None:
    """The sheet of the best pure pick, its value the goal.

    With pick `own` alone, column `reply` holds it down most. The share of `own` is what the others
    leave of one; the value is the gain against `reply` less what that column is won by.
    """
    own, reply = best_pure(payoff, height, width)
    sheet.basic[0] = own
    sheet.body[0, 0] = 1.0
    column = 1
    for i in range(height):
        if i != own:
            sheet.free[column] = i
            sheet.body[0, column] = -1.0
            column += 1
    sheet.free[height] = height + reply
    sheet.body[0, height] = 0.0
    row = 1
    for j in range(width):
        if j != reply:
            sheet.basic[row] = height + j
            difference(sheet, row, payoff, height, own, j, reply)
            row += 1
    difference(sheet, width, payoff, height, own, reply, -1)
    sheet.body[width, height] = -1.0


@rule
def best_pure(payoff: Any, height: int, width: int) -> tuple[int, int]:
    """The pick that guarantees most alone, and the column that holds it to that."""
    most, own, reply = -2.0, 0, 0
    for i in range(height):
        worst = 0
        for j in range(width):
            if payoff[i, j] < payoff[i, worst]:
                worst = j
        if payoff[i, worst] > most:
            most, own, reply = payoff[i, worst], i, worst
    return own, reply


@rule
def difference(
    sheet: LinearProgram, row: int, payoff: Any, height: int, own: int, one: int, other: int
) -> None:
    """What a column gives more than another (or than nothing), in terms of the free variables."""
    base = payoff[own, one] - (payoff[own, other] if other >= 0 else 0.0)
    sheet.body[row, 0] = base
    column = 1
    for i in range(height):
        if i != own:
            worth = payoff[i, one] - (payoff[i, other] if other >= 0 else 0.0)
            sheet.body[row, column] = worth - base
            column += 1
    sheet.body[row, height] = 1.0


@rule
def gain_from_mistakes(
    sheet: LinearProgram, rows: int, columns: int, height: int, width: int
) -> tuple[int, int]:
    """Raise the least gain over all mistakes, then over those that are left; rows and columns."""
    least = height + width
    for variable in range(least + 1):
        sheet.marked[variable] = height <= variable < least
    left = mark_raisable(sheet, rows, columns, height, width)
    while left > 0 and columns > 0:
        columns += 1
        add_least(sheet, rows, columns, least)
        raise_goal(sheet, rows, columns)
        columns = drop(sheet, rows, columns)
        rows = drop_row(sheet, rows, least)
        before = left
        left = mark_raisable(sheet, rows, columns, height, width)
        if left == before:
            break  # what is left to gain is rounding
    return rows, columns


@rule
def mark_raisable(sheet: LinearProgram, rows: int, columns: int, height: int, width: int) -> int:
    """Of the marked gains keep those that some mix left on the sheet can raise; how many."""
    found = 0
    for j in range(width):
        sheet.raised[height + j] = False
    while True:
        sum_up(sheet, rows, columns)
        raise_goal(sheet, rows, columns)
        more = 0
        for row in range(rows):
            variable = sheet.basic[row]
            if sheet.marked[variable] and sheet.body[row, 0] > EQUALITY_TOLERANCE:
                sheet.marked[variable] = False
                sheet.raised[variable] = True
                more += 1
        found += more
        if more == 0:
            break
    for j in range(width):
        sheet.marked[height + j] = sheet.raised[height + j]
    return found


@rule
def sum_up(sheet: LinearProgram, rows: int, columns: int) -> None:
    """Make the sum of all marked gains the goal."""
    for column in range(columns + 1):
        share = 1.0 if column > 0 and sheet.marked[sheet.free[column]] else 0.0
        for row in range(rows):
            if sheet.marked[sheet.basic[row]]:
                share += sheet.body[row, column]
        sheet.body[rows, column] = share


@rule
def add_least(sheet: LinearProgram, rows: int, columns: int, least: int) -> None:
    """Split the least gain off all marked ones as a variable of its own, and make it the goal.

    A marked gain stands for what is above the least from here on.
    """
    sheet.free[columns] = least
    aim(sheet, rows, columns, least)
    for row in range(rows):
        share = -1.0 if sheet.marked[sheet.basic[row]] else 0.0
        for column in range(1, columns):
            if sheet.marked[sheet.free[column]]:
                share += sheet.body[row, column]
        sheet.body[row, columns] = share


@rule
def read_mix(sheet: LinearProgram, rows: int, height: int, shares: Any) -> None:
    """The shares on the sheet; what is next to nothing is rounding."""
    total = 0.0
    for i in range(height):
        share = held(sheet, rows, i)
        shares[i] = share if share > EQUALITY_TOLERANCE else 0.0
        total += shares[i]
    for i in range(height):
        shares[i] /= total
