"""The simplex method on zero-sum matrix games, in dictionary form.

The variables of a game are the shares of the row player's picks, then its gains over the value
against each column; all are at least 0. Each row of the dictionary gives a basic variable as a
constant and multiples of the nonbasic ones, which are 0. The last row is the objective.

The functions are marked as rules: they run over plain lists, of fractions too, and compiled over
arrays. Fractions stay fractions beside whole numbers, and so zeros and ones are whole.
"""

from math import inf
from typing import Any, Final, NamedTuple

from evenodds.core.vocabulary import rule
from evenodds.engine.game_functions import kernel

PIVOT_TOLERANCE: Final = 1e-11
"""Coefficients below this are rounding."""
RATIO_TOLERANCE: Final = 1e-13
"""How far a row may be violated for the sake of a larger pivot (Harris)."""
UNBOUNDED_RATIO: Final = inf
DANTZIG_PIVOTS_PER_DIMENSION: Final = 4
MAX_PIVOTS_PER_DIMENSION: Final = 40
REFINEMENT_GAP: Final = 1e-13
"""With wider bounds on the value the dictionary is made anew, without its small pivots."""


class Dictionary(NamedTuple):
    """Arrays for games up to some size, allocated once and used for many."""

    payoff: Any
    """The game, for who fills it here."""
    cells: Any
    """A row for each basic variable, then the objective; column 0 holds the constants."""
    basic: Any
    """The basic variable of each row."""
    nonbasic: Any
    """The nonbasic variable of each column; column 0 has none."""
    scratch: Any
    """As long as a row."""
    row_mix: Any
    column_mix: Any
    marked: Any
    raised: Any
    """Flags of variables, for the selection among optimal mixes."""


def make_dictionary(height: int, width: int) -> Dictionary:
    """Arrays for games up to this size; rows have room to be worked on four cells at a time."""
    length = (height + 5) & -4
    return Dictionary(
        [[0.0] * width for _ in range(height)],
        [[0.0] * length for _ in range(width + 1)],
        [0] * (width + 1),
        [-1] * length,
        [0.0] * max(length, width),
        [0.0] * height,
        [0.0] * width,
        [False] * (height + width + 1),
        [False] * (height + width + 1),
    )


def as_arrays(work: Dictionary) -> Dictionary:
    """The same with an array for every list, for compiled loops."""
    import numpy as np

    return Dictionary(*map(np.array, work))


@kernel
def solve_game(work: Dictionary, payoff: Any, height: int, width: int) -> tuple[float, float]:
    """Bounds on the value of a game: what the mixes guarantee that are left in `work`.

    The row player maximises `payoff[i][j]`, the column player minimises it. Where there is a saddle
    point it is taken: the mixes are pure and the bounds are the same.
    """
    low, high, own, reply, column = find_saddle(work, payoff, height, width)
    if low >= high:
        for i in range(height):
            work.row_mix[i] = 1.0 if i == own else 0.0
        for j in range(width):
            work.column_mix[j] = 1.0 if j == column else 0.0
        return low, low
    begin_at(work, payoff, height, width, own, reply)
    maximise(work, width, height)
    lower, upper = read_mixes(work, payoff, height, width)
    if upper - lower > REFINEMENT_GAP:
        make_anew(work, payoff, height, width, own, reply)
        maximise(work, width, height)
        lower, upper = read_mixes(work, payoff, height, width)
    return lower, max(lower, upper)


@rule
def find_saddle(
    work: Dictionary, payoff: Any, height: int, width: int
) -> tuple[float, float, int, int, int]:
    """What pure picks guarantee to either side; the row, the best reply to it, and the column."""
    tops = work.scratch
    for j in range(width):
        tops[j] = -inf
    low, own, reply = -inf, 0, 0
    for i in range(height):
        line = payoff[i]
        worst = 0
        for j in range(width):
            worst = j if line[j] < line[worst] else worst
            tops[j] = max(tops[j], line[j])
        if line[worst] > low:
            low, own, reply = line[worst], i, worst
    high, best = inf, 0
    for j in range(width):
        if tops[j] < high:
            high, best = tops[j], j
    return low, high, own, reply, best


@rule
def begin_at(work: Dictionary, payoff: Any, height: int, width: int, own: int, reply: int) -> None:
    """The dictionary of a pure pick to which `reply` is the best reply, the value as the objective.

    The share of `own` is 1 less all others. The value is the payoff against `reply` less the gain
    there; the gain against any other column is the payoff there less the value.
    """
    column = 1
    for i in range(height):
        if i != own:
            work.nonbasic[column] = i
            column += 1
    work.nonbasic[height] = height + reply
    line = work.cells[0]
    for column in range(len(line)):
        line[column] = -1 if column < height else 0
    line[0] = 1
    work.basic[0] = own
    row = 0
    for j in range(width):
        times = 0 if j == reply else 1
        row += times
        place = row if times else width
        line = work.cells[place]
        base = payoff[own][j] - times * payoff[own][reply]
        line[0] = base
        column = 1
        for i in range(height):
            if i != own:
                line[column] = payoff[i][j] - times * payoff[i][reply] - base
                column += 1
        line[height] = 2 * times - 1
        for column in range(height + 1, len(line)):
            line[column] = 0
        work.basic[place] = height + j


@rule
def maximise(work: Dictionary, rows: int, columns: int) -> None:
    """Pivot until the objective is maximal.

    Dantzig's rule first, which is fast; then Bland's rule, which cannot cycle. The limit on pivots
    guards against rounding alone.
    """
    dantzig_pivots = DANTZIG_PIVOTS_PER_DIMENSION * (rows + columns)
    for pivots in range(MAX_PIVOTS_PER_DIMENSION * (rows + columns)):
        use_bland = pivots >= dantzig_pivots
        column = entering_column(work, rows, columns, use_bland)
        if column == 0:
            return
        row = leaving_row(work, rows, column, use_bland)
        if row < 0:  # unbounded, which shares are not: the column is rounding
            return
        pivot_on(work, rows, columns, row, column)


@rule
def entering_column(work: Dictionary, rows: int, columns: int, use_bland: bool) -> int:
    """The entering column: the steepest, or by Bland the smallest variable; 0 when optimal."""
    costs = work.cells[rows]
    best = 0
    if use_bland:
        for column in range(1, columns + 1):
            smaller = best == 0 or work.nonbasic[column] < work.nonbasic[best]
            best = column if costs[column] > PIVOT_TOLERANCE and smaller else best
        return best
    steepest = PIVOT_TOLERANCE
    for column in range(1, columns + 1):
        cost = costs[column]
        steeper = cost > steepest
        best = column if steeper else best
        steepest = cost if steeper else steepest
    return best


@rule
def leaving_row(work: Dictionary, rows: int, column: int, use_bland: bool) -> int:
    """The leaving row by Harris's ratio test: the first to reach 0, within a tolerance.

    Of the rows within it the largest pivot, or by Bland the smallest variable; -1 for none.
    """
    # How far the column may rise if every row may be violated by a tolerance, then the best pivot
    # within that bound. The exact minimum alone would force tiny pivots on degenerate programs,
    # which amplify rounding. Constants slightly below 0 are rounding, and count as 0.
    cells = work.cells
    bound = UNBOUNDED_RATIO
    for row in range(rows):
        slope = -cells[row][column]
        is_limit = slope > PIVOT_TOLERANCE
        # Two selects are cheaper than a branch.
        slack = max(0, cells[row][0]) + RATIO_TOLERANCE if is_limit else UNBOUNDED_RATIO
        bound = min(bound, slack / (slope if is_limit else 1))
    best = -1
    if use_bland:
        for row in range(rows):
            slope = -cells[row][column]
            if slope > PIVOT_TOLERANCE and cells[row][0] <= bound * slope:
                best = row if best < 0 or work.basic[row] < work.basic[best] else best
        return best
    steepest = PIVOT_TOLERANCE
    for row in range(rows):
        slope = -cells[row][column]
        # In this order: few rows pass the first comparison, and about half the second.
        if cells[row][0] <= bound * slope and slope > steepest:
            best = row
            steepest = slope
    return best


@rule
def pivot_on(work: Dictionary, rows: int, columns: int, row: int, column: int) -> None:
    """Exchange the basic variable of a row with the nonbasic one of a column."""
    cells = work.cells
    length = (columns + 4) & -4  # four at a time and none one by one, compiled
    line = cells[row]
    pivot = work.scratch  # apart from the cells, so that the compiler uses vectors
    inverse = 1 / line[column]
    for k in range(length):
        line[k] *= -inverse
        pivot[k] = line[k]
    line[column] = inverse
    for place in range(rows + 1):
        line = cells[place]
        factor = line[column]
        if place != row and factor != 0:
            for k in range(length):
                line[k] += factor * pivot[k]
            line[column] = factor * inverse  # last: one number written would delay vectors
    work.basic[row], work.nonbasic[column] = work.nonbasic[column], work.basic[row]


@rule
def make_anew(work: Dictionary, payoff: Any, height: int, width: int, own: int, reply: int) -> None:
    """Make the dictionary of the same basic variables by the largest pivots, which round least."""
    for variable in range(height + width):
        work.marked[variable] = False
    for row in range(width):
        work.marked[work.basic[row]] = True
    begin_at(work, payoff, height, width, own, reply)
    for _ in range(min(height, width)):
        most, row, column = 0.0, -1, 0
        for i in range(width):
            for j in range(1, height + 1):
                if work.marked[work.nonbasic[j]] and not work.marked[work.basic[i]]:
                    size = abs(work.cells[i][j])
                    if size > most:
                        most, row, column = size, i, j
        if row < 0:
            break
        pivot_on(work, width, height, row, column)


@rule
def read_mixes(work: Dictionary, payoff: Any, height: int, width: int) -> tuple[float, float]:
    """Both mixes from an optimal dictionary, the primal and the dual solution; their guarantees."""
    read_row_mix(work, width, height, work.row_mix, 0.0)
    for j in range(width):
        work.column_mix[j] = 0
    costs = work.cells[width]
    for column in range(1, height + 1):
        if work.nonbasic[column] >= height:
            work.column_mix[work.nonbasic[column] - height] = -costs[column]
    normalise(work.column_mix, width, 0.0)
    return guarantees(work, payoff, height, width)


@rule
def read_row_mix(work: Dictionary, rows: int, height: int, mix: Any, least: float) -> None:
    """The mix of the row player from a dictionary; what is not above `least` counts as 0."""
    for i in range(height):
        mix[i] = 0
    for row in range(rows):
        if work.basic[row] < height:
            mix[work.basic[row]] = work.cells[row][0]
    normalise(mix, height, least)


@rule
def normalise(mix: Any, size: int, least: float) -> None:
    """Set shares that are not above `least` to 0, and scale all to sum to 1."""
    total = 0
    for place in range(size):
        mix[place] = mix[place] if mix[place] > least else 0
        total += mix[place]
    for place in range(size):
        mix[place] /= total


@rule
def guarantees(work: Dictionary, payoff: Any, height: int, width: int) -> tuple[float, float]:
    """What the row mix wins at least and the column mix concedes at most: bounds on the value."""
    wins = work.scratch
    for j in range(width):
        wins[j] = 0
    upper = -inf
    for i in range(height):
        line = payoff[i]
        share = work.row_mix[i]
        gives = 0
        for j in range(width):
            gives += work.column_mix[j] * line[j]
            wins[j] += share * line[j]
        upper = max(upper, gives)
    lower = inf
    for j in range(width):
        lower = min(lower, wins[j])
    return lower, upper
