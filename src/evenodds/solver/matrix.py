"""Zero-sum matrix games, solved by the simplex method on a dense tableau.

The row player picks to gain `payoff[i, j]`, the column player to give little. The functions are
marked as rules: they run as they stand on small games, and compiled where there are millions.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.vocabulary import rule

EPSILON: Final = 1e-12
"""A number this near to zero is rounding, not a reason to pivot."""

PURE: Final = 0
MIXED: Final = 1


class Room(NamedTuple):
    """Arrays that a solve works in, made once and used for many matrices."""

    payoff: Any
    tableau: Any
    rows: Any
    columns: Any
    row_mix: Any
    column_mix: Any


def room_for(size: int) -> Room:
    """Room for matrices up to `size` by `size`."""
    return Room(
        np.zeros((size, size)),
        np.zeros((size + 1, size + 1)),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size),
        np.zeros(size),
    )


@rule
def solve_matrix(room: Room, height: int, width: int) -> tuple[float, float, int]:
    """Value, duality gap and kind of the game in `room.payoff`; both mixes are left in the room.

    A saddle point is taken where there is one: the mixes are pure and the gap is zero.
    """
    low, high = find_saddle(room, height, width)
    if low >= high:
        return low, 0.0, PURE
    fill_tableau(room, height, width, 1.0 - low)
    pivot_until_optimal(room, height, width, 4 * (height + width))
    read_mixes(room, height, width)
    lower, upper = guarantees(room, height, width)
    return 0.5 * (lower + upper), max(0.0, upper - lower), MIXED


@rule
def find_saddle(room: Room, height: int, width: int) -> tuple[float, float]:
    """The best that pure picks guarantee to either side, left as pure mixes in the room."""
    payoff = room.payoff
    low, best_row = -2.0, 0
    for i in range(height):
        worst = payoff[i, 0]
        for j in range(1, width):
            worst = min(worst, payoff[i, j])
        if worst > low:
            low, best_row = worst, i
    high, best_column = 2.0, 0
    for j in range(width):
        worst = payoff[0, j]
        for i in range(1, height):
            worst = max(worst, payoff[i, j])
        if worst < high:
            high, best_column = worst, j
    clear_mixes(room, height, width)
    room.row_mix[best_row] = 1.0
    room.column_mix[best_column] = 1.0
    return low, high


@rule
def clear_mixes(room: Room, height: int, width: int) -> None:
    """No pick has any share yet."""
    for i in range(height):
        room.row_mix[i] = 0.0
    for j in range(width):
        room.column_mix[j] = 0.0


@rule
def fill_tableau(room: Room, height: int, width: int, shift: float) -> None:
    """The column player's problem, with all payoffs made positive: most q with (A + shift) q <= 1.

    The tableau is condensed: a pivot exchanges the variable of a row with that of a column. Column
    variables are 0 to width - 1, the slack of row i is width + i.
    """
    tableau = room.tableau
    for i in range(height):
        for j in range(width):
            tableau[i, j] = room.payoff[i, j] + shift
        tableau[i, width] = 1.0
        room.rows[i] = width + i
    for j in range(width):
        tableau[height, j] = -1.0
        room.columns[j] = j
    tableau[height, width] = 0.0


@rule
def pivot_until_optimal(room: Room, height: int, width: int, patience: int) -> int:
    """Pivot until no exchange gains; the number of pivots.

    Dantzig's rule takes the steepest column. On degenerate matrices it may go in circles, so that
    when patience is at its end Bland's rule takes over, which cannot.
    """
    pivots = 0
    while True:
        careful = pivots >= patience
        column = entering(room, height, width, careful)
        if column < 0:
            return pivots
        row = leaving(room, height, width, column)
        exchange(room, height, width, row, column)
        pivots += 1


@rule
def entering(room: Room, height: int, width: int, careful: bool) -> int:
    """The column to bring in: the steepest, or the one of the smallest variable; -1 for none."""
    costs = room.tableau[height]
    best = -1
    for j in range(width):
        if costs[j] >= -EPSILON:
            continue
        if (
            best < 0
            or (careful and room.columns[j] < room.columns[best])
            or (not careful and costs[j] < costs[best])
        ):
            best = j
    return best


@rule
def leaving(room: Room, height: int, width: int, column: int) -> int:
    """The row that limits the column first; among equals the one of the smallest variable."""
    tableau = room.tableau
    best = -1
    least = 0.0
    for i in range(height):
        slope = tableau[i, column]
        if slope <= EPSILON:
            continue
        ratio = tableau[i, width] / slope
        if (
            best < 0
            or ratio < least - EPSILON
            or (ratio <= least + EPSILON and room.rows[i] < room.rows[best])
        ):
            best = i
            least = ratio
    return best


@rule
def exchange(room: Room, height: int, width: int, row: int, column: int) -> None:
    """One pivot of the condensed tableau."""
    tableau = room.tableau
    inverse = 1.0 / tableau[row, column]
    for j in range(width + 1):
        tableau[row, j] *= inverse
    tableau[row, column] = inverse
    for i in range(height + 1):
        factor = tableau[i, column]
        if i == row or factor == 0.0:
            continue
        tableau[i, column] = 0.0
        for j in range(width + 1):
            tableau[i, j] -= factor * tableau[row, j]
    room.rows[row], room.columns[column] = room.columns[column], room.rows[row]


@rule
def read_mixes(room: Room, height: int, width: int) -> None:
    """Both mixes from an optimal tableau, scaled to add up to one."""
    clear_mixes(room, height, width)
    total = 0.0
    for i in range(height):
        if room.rows[i] < width:
            share = max(0.0, room.tableau[i, width])
            room.column_mix[room.rows[i]] = share
            total += share
    for j in range(width):
        room.column_mix[j] /= total
    total = 0.0
    for j in range(width):
        if room.columns[j] >= width:
            share = max(0.0, room.tableau[height, j])
            room.row_mix[room.columns[j] - width] = share
            total += share
    for i in range(height):
        room.row_mix[i] /= total


@rule
def guarantees(room: Room, height: int, width: int) -> tuple[float, float]:
    """What the row mix wins at least, and what the column mix gives at most: the certificate."""
    payoff = room.payoff
    lower = 2.0
    for j in range(width):
        total = 0.0
        for i in range(height):
            total += room.row_mix[i] * payoff[i, j]
        lower = min(lower, total)
    upper = -2.0
    for i in range(height):
        total = 0.0
        for j in range(width):
            total += room.column_mix[j] * payoff[i, j]
        upper = max(upper, total)
    return lower, upper
