"""Equilibrium selection: one optimal mix of a matrix game by Dresher's procedure.

Dresher's procedure: among the mixes that guarantee the value, those that gain most from the other's
mistakes. A mistake is a column against which some optimal mix wins more than the value. Maximise
the least gain over all mistakes, then the least over those that can still be raised, and so on.
Remaining ties are broken by maximising the share of the smallest number, then of the next.

The objectives are maximised one after another on one `LinearProgram`. Its variables are the shares
of the picks, then the gains over the value against each column; last comes the minimum gain. The
functions are marked as rules: they run interpreted for one position, and compiled for millions.
"""

from math import inf
from typing import Any

from evenodds.core.vocabulary import rule
from evenodds.simplex.linear_program import (
    EQUALITY_TOLERANCE,
    LinearProgram,
    drop_columns,
    drop_row,
    make_linear_program,
    maximise,
    set_objective,
    value_of,
)


def selected_mix(payoff: Any) -> list[float]:
    """The selected optimal mix of the row player, who maximises the payoff."""
    height, width = len(payoff), len(payoff[0])
    shares = [0.0] * height
    select_mix(make_linear_program(height, width), payoff, height, width, shares)
    return shares


def is_only_mix(payoff: Any, selected: Any) -> bool:
    """Whether the row player has no optimal mix but the selected one.

    Any other would give some pick a greater share, so the maximum share of each pick decides.
    """
    height, width = len(payoff), len(payoff[0])
    program, mix = make_linear_program(height, width), [0.0] * height
    start_from_pure_pick(program, payoff, height, width)
    maximise(program, width, height)
    columns = drop_columns(program, width, height)
    for pick in range(height):
        set_objective(program, width, columns, pick)
        maximise(program, width, columns)
        read_mix(program, width, height, mix)
        if mix[pick] > selected[pick] + EQUALITY_TOLERANCE:
            return False
    return True


@rule
def select_mix(program: LinearProgram, payoff: Any, height: int, width: int, shares: Any) -> None:
    """Write the selected optimal mix of the row player into `shares`.

    Often the optimal mix is unique, which shows at once: no column is left.
    """
    start_from_pure_pick(program, payoff, height, width)
    rows, columns = width, height
    maximise(program, rows, columns)
    columns = drop_columns(program, rows, columns)
    if columns > 0:
        rows, columns = gain_from_mistakes(program, rows, columns, height, width)
    number = 0
    while columns > 0 and number < height:
        set_objective(program, rows, columns, number)
        maximise(program, rows, columns)
        columns = drop_columns(program, rows, columns)
        number += 1
    read_mix(program, rows, height, shares)


@rule
def start_from_pure_pick(program: LinearProgram, payoff: Any, height: int, width: int) -> None:
    """The feasible dictionary of the best pure pick, with the value as the objective.

    Against pick `own`, column `reply` is the best reply. The share of `own` is 1 less all others;
    the value is the payoff against `reply` less the gain there.
    """
    own, reply = best_pure(payoff, height, width)
    program.basic[0] = own
    program.tableau[0][0] = 1.0
    column = 1
    for i in range(height):
        if i != own:
            program.nonbasic[column] = i
            program.tableau[0][column] = -1.0
            column += 1
    program.nonbasic[height] = height + reply
    program.tableau[0][height] = 0.0
    row = 1
    for j in range(width):
        if j != reply:
            program.basic[row] = height + j
            write_difference(program, row, payoff, height, own, j, reply)
            row += 1
    write_difference(program, width, payoff, height, own, reply, -1)
    program.tableau[width][height] = -1.0


@rule
def best_pure(payoff: Any, height: int, width: int) -> tuple[int, int]:
    """The pure pick with the best guarantee, and the best reply to it."""
    most, own, reply = -inf, 0, 0
    for i in range(height):
        worst = 0
        for j in range(width):
            if payoff[i][j] < payoff[i][worst]:
                worst = j
        if payoff[i][worst] > most:
            most, own, reply = payoff[i][worst], i, worst
    return own, reply


@rule
def write_difference(
    program: LinearProgram, row: int, payoff: Any, height: int, own: int, one: int, other: int
) -> None:
    """The payoff of a column less that of another (or 0), by the nonbasic variables."""
    base = payoff[own][one] - (payoff[own][other] if other >= 0 else 0.0)
    program.tableau[row][0] = base
    column = 1
    for i in range(height):
        if i != own:
            worth = payoff[i][one] - (payoff[i][other] if other >= 0 else 0.0)
            program.tableau[row][column] = worth - base
            column += 1
    program.tableau[row][height] = 1.0


@rule
def gain_from_mistakes(
    program: LinearProgram, rows: int, columns: int, height: int, width: int
) -> tuple[int, int]:
    """Maximise the least gain over all mistakes, then over those left; the new rows and columns."""
    least = height + width
    for variable in range(least + 1):
        program.marked[variable] = height <= variable < least
    left = mark_raisable(program, rows, columns, height, width)
    while left > 0 and columns > 0:
        columns += 1
        add_minimum_variable(program, rows, columns, least)
        maximise(program, rows, columns)
        columns = drop_columns(program, rows, columns)
        rows = drop_row(program, rows, least)
        before = left
        left = mark_raisable(program, rows, columns, height, width)
        if left == before:
            break  # no progress: what is left to gain is rounding
    return rows, columns


@rule
def mark_raisable(program: LinearProgram, rows: int, columns: int, height: int, width: int) -> int:
    """Keep those marks whose gain some remaining mix can raise above 0; how many."""
    found = 0
    for j in range(width):
        program.raised[height + j] = False
    while True:
        set_sum_objective(program, rows, columns)
        maximise(program, rows, columns)
        more = 0
        for row in range(rows):
            variable = program.basic[row]
            if program.marked[variable] and program.tableau[row][0] > EQUALITY_TOLERANCE:
                program.marked[variable] = False
                program.raised[variable] = True
                more += 1
        found += more
        if more == 0:
            break
    for j in range(width):
        program.marked[height + j] = program.raised[height + j]
    return found


@rule
def set_sum_objective(program: LinearProgram, rows: int, columns: int) -> None:
    """Make the sum of all marked gains the objective."""
    for column in range(columns + 1):
        share = 1.0 if column > 0 and program.marked[program.nonbasic[column]] else 0.0
        for row in range(rows):
            if program.marked[program.basic[row]]:
                share += program.tableau[row][column]
        program.tableau[rows][column] = share


@rule
def add_minimum_variable(program: LinearProgram, rows: int, columns: int, least: int) -> None:
    """Subtract the minimum from all marked gains as a variable of its own, the objective.

    From here on a marked gain is the excess over the minimum.
    """
    program.nonbasic[columns] = least
    set_objective(program, rows, columns, least)
    for row in range(rows):
        share = -1.0 if program.marked[program.basic[row]] else 0.0
        for column in range(1, columns):
            if program.marked[program.nonbasic[column]]:
                share += program.tableau[row][column]
        program.tableau[row][columns] = share


@rule
def read_mix(program: LinearProgram, rows: int, height: int, shares: Any) -> None:
    """Read the shares, with those below the tolerance set to 0, scaled to sum to 1."""
    total = 0.0
    for i in range(height):
        share = value_of(program, rows, i)
        shares[i] = share if share > EQUALITY_TOLERANCE else 0.0
        total += shares[i]
    for i in range(height):
        shares[i] /= total
