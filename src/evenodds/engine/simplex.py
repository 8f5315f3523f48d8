"""The simplex method on zero-sum matrix games, in dictionary form.

The variables of a game are the shares of the row player's picks, then its gains over the value
against each column; all are at least 0. Each row of the dictionary gives a basic variable as a
constant and multiples of the nonbasic ones, which are 0. The last row is the objective.

The functions are marked as rules: they run over plain lists, of fractions too, and compiled over
arrays. Fractions stay fractions beside whole numbers, and so zeros and ones are whole.
"""

from collections.abc import Callable
from math import inf
from typing import Any, Final, NamedTuple

from evenodds.core.vocabulary import rule
from evenodds.engine.game_functions import kernel

PIVOT_TOLERANCE: Final = 1e-11
"""Coefficients below this are rounding."""
RATIO_TOLERANCE: Final = 1e-13
"""How far a row may be violated for the sake of a larger pivot (Harris)."""
DANTZIG_PIVOTS_PER_DIMENSION: Final = 4
MAX_PIVOTS_PER_DIMENSION: Final = 40
REFINEMENT_GAP: Final = 1e-13
"""With wider bounds on the value the dictionary is made anew, without its small pivots."""


class Dictionary(NamedTuple):
    """Arrays for programs up to some size, allocated once and used for many."""

    cells: Any
    """A row for each basic variable, then the objective; column 0 holds the constants."""
    basic: Any
    """The basic variable of each row."""
    nonbasic: Any
    """The nonbasic variable of each column; column 0 has none."""
    scratch: Any
    """As long as a row, and as there are variables."""


class Workspace(NamedTuple):
    """What it takes to solve games up to some size one after another."""

    payoff: Any
    """The game, for who fills it here."""
    dictionary: Dictionary
    row_mix: Any
    column_mix: Any
    marks: Any
    """A number for each variable, and one more for a variable that somebody adds."""


@rule
def row_length(columns: int) -> int:
    """The cells for so many columns and the constants: compiled, four at a time are fastest."""
    return (columns + 4) & -4


def make_workspace(height: int, width: int, array: Callable[[Any], Any] = list) -> Workspace:
    """One for games up to this size, of lists or, for compiled loops, of arrays."""
    length = row_length(height + 1)
    lines = [0] * (width + 1), [-1] * length, [0.0] * (length + width)
    return Workspace(
        array([[0.0] * width for _ in range(height)]),
        Dictionary(array([[0.0] * length for _ in range(width + 1)]), *map(array, lines)),
        array([0.0] * height),
        array([0.0] * width),
        array([0] * (height + width + 1)),
    )


@kernel
def solve_game(work: Workspace, payoff: Any, height: int, width: int) -> tuple[float, float]:
    """Bounds on the value of a game: what the mixes guarantee that are left in `work`.

    The row player maximises `payoff[i][j]`, the column player minimises it. Where there is a saddle
    point it is taken: the mixes are pure and the bounds are the same.
    """
    low, high, own, reply, column = find_saddle(payoff, height, width, work.dictionary.scratch)
    if low >= high:
        for i in range(height):
            work.row_mix[i] = 1.0 if i == own else 0.0
        for j in range(width):
            work.column_mix[j] = 1.0 if j == column else 0.0
        return low, low
    is_anew = False
    while True:
        begin_at(work.dictionary, payoff, height, width, own, reply)
        if is_anew:
            exchange(work.dictionary, work.marks, width, height)
        maximise(work.dictionary, width, height)
        read_mixes(work, height, width)
        lower, upper = guarantees(work, payoff, height, width)
        if is_anew or upper - lower <= REFINEMENT_GAP:
            return lower, upper if upper > lower else lower
        for variable in range(height + width):
            work.marks[variable] = 0
        for row in range(width):
            work.marks[work.dictionary.basic[row]] = 1
        is_anew = True


@rule
def find_saddle(
    payoff: Any, height: int, width: int, tops: Any
) -> tuple[float, float, int, int, int]:
    """What pure picks guarantee to either side; the row, the best reply to it, and the column."""
    for j in range(width):
        tops[j] = -inf
    low, own, reply = -inf, 0, 0
    for i in range(height):
        line = payoff[i]
        worst = inf
        for j in range(width):
            worst = line[j] if line[j] < worst else worst
        for j in range(width):
            tops[j] = line[j] if line[j] > tops[j] else tops[j]
        if worst > low:
            low, own = worst, i
    high, column = inf, 0
    for j in range(width):
        if payoff[own][j] == low:
            reply = j
        if tops[j] < high:
            high, column = tops[j], j
    return low, high, own, reply, column


@rule
def begin_at(
    program: Dictionary, payoff: Any, height: int, width: int, own: int, reply: int
) -> None:
    """The dictionary of a pure pick to which `reply` is the best reply, the value as the objective.

    The share of `own` is 1 less all others, in place of the gain against `reply`. The value is the
    payoff against `reply` less the gain there; the gain against any other column is the payoff
    there less the value.
    """
    cells, basic, nonbasic = program.cells, program.basic, program.nonbasic
    shares, objective = cells[reply], cells[width]
    for row in range(width + 1):
        for column in range(height + 1, row_length(height + 1)):
            cells[row][column] = 0
    worst = payoff[own][reply]
    for j in range(width):
        basic[j] = height + j
        cells[j][0] = payoff[own][j] - worst
    for i in range(height):
        nonbasic[i + 1] = i
        line = payoff[i]
        base = line[reply]
        for j in range(width):
            cells[j][i + 1] = line[j] - base - cells[j][0]
        shares[i + 1] = -1
        objective[i + 1] = base - worst
    basic[reply], nonbasic[own + 1] = own, height + reply
    for j in range(width):
        cells[j][own + 1] = 1
    shares[0], objective[0] = 1, worst
    shares[own + 1], objective[own + 1] = 0, -1


@rule
def maximise(program: Dictionary, rows: int, columns: int) -> None:
    """Pivot until the objective is maximal.

    Dantzig's rule first, which is fast: the steepest column enters. Then Bland's rule, which cannot
    cycle: the smallest variable. The limit on pivots guards against rounding alone.
    """
    costs = program.cells[rows]
    dantzig_pivots = DANTZIG_PIVOTS_PER_DIMENSION * (rows + columns)
    for pivots in range(MAX_PIVOTS_PER_DIMENSION * (rows + columns)):
        use_bland = pivots >= dantzig_pivots
        least = -inf if use_bland else PIVOT_TOLERANCE
        entering, most = columns, least
        for column in range(1, columns + 1):
            worth = costs[column]
            if use_bland:
                worth = -program.nonbasic[column] if worth > PIVOT_TOLERANCE else -inf
            better = worth > most
            entering = column if better else entering
            most = worth if better else most
        if most == least:
            return
        row = leaving_row(program, rows, entering, use_bland)
        if row < 0:  # unbounded, which shares are not: the column is rounding
            return
        pivot_on(program, rows, columns, row, entering)


@rule
def leaving_row(program: Dictionary, rows: int, column: int, use_bland: bool) -> int:
    """The leaving row by Harris's ratio test: the first to reach 0, within a tolerance.

    Of the rows within it the largest pivot, or by Bland the smallest variable; -1 for none.
    """
    # How far the column may rise if every row may be violated by a tolerance, then the best pivot
    # within that bound. The exact minimum alone would force tiny pivots on degenerate programs,
    # which amplify rounding. Constants slightly below 0 are rounding, and count as 0.
    cells = program.cells
    bound = inf
    for row in range(rows):
        slope = -cells[row][column]
        is_limit = slope > PIVOT_TOLERANCE
        # Two selects are cheaper than a branch.
        slack = cells[row][0] if cells[row][0] > 0 else 0
        limit = (slack + RATIO_TOLERANCE if is_limit else inf) / (slope if is_limit else 1)
        bound = limit if limit < bound else bound
    best, most = -1, -inf
    for row in range(rows):
        slope = -cells[row][column]
        # In this order: few rows pass the first comparison, and about half the second.
        if cells[row][0] <= bound * slope and slope > PIVOT_TOLERANCE:
            worth = -program.basic[row] if use_bland else slope
            if worth > most:
                best, most = row, worth
    return best


@rule
def pivot_on(program: Dictionary, rows: int, columns: int, row: int, column: int) -> None:
    """Exchange the basic variable of a row with the nonbasic one of a column."""
    cells, basic, nonbasic = program.cells, program.basic, program.nonbasic
    length = row_length(columns)
    line = cells[row]
    pivot = program.scratch  # apart from the cells, so that the compiler uses vectors
    inverse = 1 / line[column]
    for k in range(length):
        line[k] *= -inverse
        pivot[k] = line[k]
    line[column] = inverse
    for place in range(rows + 1):
        line = cells[place]
        factor = line[column]
        if place != row:
            for k in range(length):
                line[k] += factor * pivot[k]
            line[column] = factor * inverse  # last: one number written would delay vectors
    basic[row], nonbasic[column] = nonbasic[column], basic[row]


@rule
def exchange(program: Dictionary, marks: Any, rows: int, columns: int) -> None:
    """Make the marked variables basic by the largest pivots, which round least."""
    for _ in range(min(rows, columns)):
        most, best = 0.0, rows * columns
        for place in range(rows * columns):
            row, column = place // columns, place % columns + 1
            if marks[program.nonbasic[column]] > marks[program.basic[row]]:
                size = abs(program.cells[row][column])
                best = place if size > most else best
                most = max(most, size)
        if most == 0:
            break
        pivot_on(program, rows, columns, best // columns, best % columns + 1)


@rule
def read_mixes(work: Workspace, height: int, width: int) -> None:
    """Both mixes from an optimal dictionary: the primal and the dual solution."""
    program, found = work.dictionary, work.dictionary.scratch
    read_row_mix(program, width, height, work.row_mix, 0.0)
    for j in range(width):
        found[height + j] = 0
    for column in range(1, height + 1):
        found[program.nonbasic[column]] = -program.cells[width][column]
    for j in range(width):
        work.column_mix[j] = found[height + j]
    normalise(work.column_mix, width, 0.0)


@rule
def read_row_mix(program: Dictionary, rows: int, height: int, mix: Any, least: float) -> None:
    """The mix of the row player from a dictionary; what is not above `least` counts as 0."""
    found = program.scratch
    for i in range(height):
        found[i] = 0
    for row in range(rows):
        found[program.basic[row]] = program.cells[row][0]
    for i in range(height):
        mix[i] = found[i]
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
def guarantees(work: Workspace, payoff: Any, height: int, width: int) -> tuple[float, float]:
    """What the row mix wins at least and the column mix concedes at most: bounds on the value."""
    wins, row_mix, column_mix = work.dictionary.scratch, work.row_mix, work.column_mix
    for j in range(width):
        wins[j] = 0
    upper = -inf
    for i in range(height):
        line = payoff[i]
        share = row_mix[i]
        gives = 0
        for j in range(width):
            gives += column_mix[j] * line[j]
        for j in range(width):
            wins[j] += share * line[j]
        upper = gives if gives > upper else upper
    lower = inf
    for j in range(width):
        lower = wins[j] if wins[j] < lower else lower
    return lower, upper
