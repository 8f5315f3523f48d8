"""Zero-sum matrix games, solved by the simplex method on a dense tableau.

The row player picks to gain `payoff[i, j]`, the column player to give little. The functions are
marked as rules: they run as they stand on small games, and compiled where there are millions.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.core.vocabulary import rule

PIVOT_TOLERANCE: Final = 1e-12
"""A number this near to zero is rounding, not a reason to pivot."""

REFINEMENT_GAP: Final = 1e-13
"""A gap above this is worth a second look."""
RATIO_TEST_TOLERANCE: Final = 1e-11
"""How far a row may be overstepped for the sake of a steeper pivot."""
INFINITE_RATIO: Final = 1e300
"""No row limits a column as far out as this."""
NEGLIGIBLE_SLOPE: Final = 1e-200
"""Stands in for a slope that limits nothing: choosing costs less than branching."""

PURE: Final = 0
MIXED: Final = 1


class SimplexWorkspace(NamedTuple):
    """Arrays that a solve works in, made once and used for many matrices."""

    payoff: Any
    tableau: Any
    rows: Any
    columns: Any
    row_mix: Any
    column_mix: Any
    scratch: Any


def make_simplex_workspace(size: int) -> SimplexWorkspace:
    """Room for matrices up to `size` by `size`."""
    return SimplexWorkspace(
        np.zeros((size, size)),
        np.zeros((size + 1, size + 1)),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size),
        np.zeros(size),
        np.zeros(size),
    )


@rule
def solve_matrix(room: SimplexWorkspace, height: int, width: int) -> tuple[float, float, int]:
    """Value, duality gap and kind of the game in `room.payoff`; both mixes are left in the room.

    A saddle point is taken where there is one: the mixes are pure and the gap is zero.
    """
    low, high = find_saddle(room, height, width)
    if low >= high:
        return low, 0.0, PURE
    shift = 1.0 - low
    fill_tableau(room, height, width, shift)
    pivot_until_optimal(room, height, width, 4 * (height + width))
    read_shares(room, height, width)
    refined = False
    while True:
        lower, upper = guarantees(room, height, width)
        if refined or upper - lower <= REFINEMENT_GAP:
            break
        refine(room, height, width, shift)
        refined = True
    return 0.5 * (lower + upper), max(0.0, upper - lower), MIXED


@rule
def find_saddle(room: SimplexWorkspace, height: int, width: int) -> tuple[float, float]:
    """The best that pure picks guarantee to either side, left as pure mixes in the room."""
    tops = room.scratch
    for j in range(width):
        tops[j] = -2.0
    low, best_row = -2.0, 0
    for i in range(height):
        line = room.payoff[i]
        worst = 2.0
        for j in range(width):
            worst = min(worst, line[j])
            tops[j] = max(tops[j], line[j])
        if worst > low:
            low, best_row = worst, i
    high, best_column = 2.0, 0
    for j in range(width):
        if tops[j] < high:
            high, best_column = tops[j], j
    clear_mixes(room, height, width)
    room.row_mix[best_row] = 1.0
    room.column_mix[best_column] = 1.0
    return low, high


@rule
def clear_mixes(room: SimplexWorkspace, height: int, width: int) -> None:
    """No pick has any share yet."""
    for i in range(height):
        room.row_mix[i] = 0.0
    for j in range(width):
        room.column_mix[j] = 0.0


@rule
def fill_tableau(room: SimplexWorkspace, height: int, width: int, shift: float) -> None:
    """The column player's problem, with all payoffs made positive: most q with (A + shift) q <= 1.

    The tableau is condensed: a pivot exchanges the variable of a row with that of a column. Column
    variables are 0 to width - 1, the slack of row i is width + i.
    """
    tableau = room.tableau
    for i in range(height):
        line = tableau[i]
        payoff = room.payoff[i]
        for j in range(width):
            line[j] = payoff[j] + shift
        line[width] = 1.0
        room.rows[i] = width + i
    for j in range(width):
        tableau[height, j] = -1.0
        room.columns[j] = j
    tableau[height, width] = 0.0


@rule
def pivot_until_optimal(room: SimplexWorkspace, height: int, width: int, patience: int) -> int:
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
        row = leaving(room, height, width, column, careful)
        if row < 0:
            return pivots  # rounding alone: payoffs above zero limit every column
        exchange(room, height, width, row, column)
        pivots += 1


@rule
def entering(room: SimplexWorkspace, height: int, width: int, careful: bool) -> int:
    """The column to bring in: the steepest, or the one of the smallest variable; -1 for none."""
    costs = room.tableau[height]
    best = -1
    if careful:
        for j in range(width):
            smaller = best < 0 or room.columns[j] < room.columns[best]
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
def leaving(room: SimplexWorkspace, height: int, width: int, column: int, careful: bool) -> int:
    """The row that limits the column first, or so nearly first that rounding could not tell.

    Among those the steepest, which keeps rounding small (Harris), or the one of the smallest
    variable.
    """
    tableau = room.tableau
    bound = INFINITE_RATIO
    for i in range(height):
        slope = tableau[i, column]
        limit = (max(0.0, tableau[i, width]) + RATIO_TEST_TOLERANCE) / (
            slope if slope > PIVOT_TOLERANCE else NEGLIGIBLE_SLOPE
        )
        bound = min(bound, limit)
    best = -1
    steepest = PIVOT_TOLERANCE
    for i in range(height):
        slope = tableau[i, column]
        if slope <= PIVOT_TOLERANCE or tableau[i, width] > bound * slope:
            continue
        if best < 0 or (room.rows[i] < room.rows[best] if careful else slope > steepest):
            best = i
            steepest = slope
    return best


@rule
def exchange(room: SimplexWorkspace, height: int, width: int, row: int, column: int) -> None:
    """One pivot of the condensed tableau."""
    tableau = room.tableau
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
    room.rows[row], room.columns[column] = room.columns[column], room.rows[row]


@rule
def read_shares(room: SimplexWorkspace, height: int, width: int) -> None:
    """Both mixes from an optimal tableau, scaled to add up to one."""
    clear_mixes(room, height, width)
    for i in range(height):
        if room.rows[i] < width:
            room.column_mix[room.rows[i]] = room.tableau[i, width]
    for j in range(width):
        if room.columns[j] >= width:
            room.row_mix[room.columns[j] - width] = room.tableau[height, j]
    scale(room.column_mix, width, 1.0)
    scale(room.row_mix, height, 1.0)


@rule
def refine(room: SimplexWorkspace, height: int, width: int, shift: float) -> None:
    """Mend both mixes where pivots have blurred the tableau."""
    total = room.tableau[height, width]
    scale(room.column_mix, width, total)
    scale(room.row_mix, height, total)
    refine_columns(room, height, width, shift)
    refine_rows(room, height, width, shift)
    scale(room.column_mix, width, 1.0)
    scale(room.row_mix, height, 1.0)


@rule
def refine_columns(room: SimplexWorkspace, height: int, width: int, shift: float) -> None:
    """Mend the column shares by what the rows that bind miss of one.

    The tableau holds the inverse of the binding part, blurred by all pivots; the payoffs are as
    they were. One step from what is missing takes the blur away.
    """
    for j in range(width):
        if room.columns[j] < width:
            continue
        line = room.payoff[room.columns[j] - width]
        missing = 1.0
        for k in range(width):
            missing -= (line[k] + shift) * room.column_mix[k]
        room.scratch[j] = missing
    for i in range(height):
        if room.rows[i] < width:
            for j in range(width):
                if room.columns[j] >= width:
                    room.column_mix[room.rows[i]] += room.tableau[i, j] * room.scratch[j]


@rule
def refine_rows(room: SimplexWorkspace, height: int, width: int, shift: float) -> None:
    """Mend the row shares in the same way, by what the columns that bind miss of one."""
    for i in range(height):
        if room.rows[i] >= width:
            continue
        missing = 1.0
        for k in range(height):
            missing -= (room.payoff[k, room.rows[i]] + shift) * room.row_mix[k]
        room.scratch[i] = missing
    for j in range(width):
        if room.columns[j] >= width:
            for i in range(height):
                if room.rows[i] < width:
                    mended = room.tableau[i, j] * room.scratch[i]
                    room.row_mix[room.columns[j] - width] += mended


@rule
def scale(mix: Any, size: int, whole: float) -> None:
    """Shares that are not negative and add up to a whole."""
    total = 0.0
    for place in range(size):
        mix[place] = max(0.0, mix[place])
        total += mix[place]
    for place in range(size):
        mix[place] *= whole / total


@rule
def guarantees(room: SimplexWorkspace, height: int, width: int) -> tuple[float, float]:
    """What the row mix wins at least, and what the column mix gives at most: the certificate."""
    wins = room.scratch
    for j in range(width):
        wins[j] = 0.0
    upper = -2.0
    for i in range(height):
        line = room.payoff[i]
        share = room.row_mix[i]
        gives = 0.0
        for j in range(width):
            gives += room.column_mix[j] * line[j]
            wins[j] += share * line[j]
        upper = max(upper, gives)
    lower = 2.0
    for j in range(width):
        lower = min(lower, wins[j])
    return lower, upper
