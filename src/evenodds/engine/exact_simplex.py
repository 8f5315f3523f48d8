"""Zero-sum matrix games in rational arithmetic, for payoffs of very different magnitude."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple


class ExactSolution(NamedTuple):
    """The value of a game as a float, mixes as floats, and how far off these leave each side."""

    value: float
    row_mix: list[float]
    column_mix: list[float]
    gap: float


def solve_exactly(payoff: Sequence[Sequence[float]]) -> ExactSolution:
    """Solve a game by the simplex method with Bland's rule, which cannot cycle."""
    exact = [[Fraction(entry) for entry in row] for row in payoff]
    height, width = len(exact), len(exact[0])
    shift = 1 - min(map(min, exact))  # the program of `tableau.fill_tableau`
    tableau = [[entry + shift for entry in row] + [Fraction(1)] for row in exact]
    tableau.append([Fraction(-1)] * width + [Fraction(0)])
    rows, columns = list(range(width, width + height)), list(range(width))
    while entering := [j for j in range(width) if tableau[height][j] < 0]:
        column = min(entering, key=columns.__getitem__)
        limiting = [i for i in range(height) if tableau[i][column] > 0]
        row = min(limiting, key=lambda i: (tableau[i][width] / tableau[i][column], rows[i]))
        _pivot(tableau, row, column)
        rows[row], columns[column] = columns[column], rows[row]
    total = tableau[height][width]
    shares = {rows[i]: tableau[i][width] / total for i in range(height) if rows[i] < width}
    column_mix = [float(shares.get(j, 0)) for j in range(width)]
    shares = {columns[j]: tableau[height][j] / total for j in range(width)}
    row_mix = [float(shares.get(width + i, 0)) for i in range(height)]
    upper = max(_mean(row, column_mix) for row in exact)
    lower = min(_mean(column, row_mix) for column in zip(*exact, strict=True))
    return ExactSolution(float(1 / total - shift), row_mix, column_mix, float(upper - lower))


def _pivot(tableau: list[list[Fraction]], row: int, column: int) -> None:
    inverse = 1 / tableau[row][column]
    pivot = [entry * inverse for entry in tableau[row]]
    pivot[column] = inverse
    tableau[row] = pivot
    for i, line in enumerate(tableau):
        factor = line[column]
        if i != row and factor:
            line[column] = Fraction(0)
            tableau[i] = [entry - factor * other for entry, other in zip(line, pivot, strict=True)]


def _mean(payoffs: Sequence[Fraction], mix: Sequence[float]) -> Fraction:
    pairs = zip(payoffs, mix, strict=True)
    return sum((entry * Fraction(share) for entry, share in pairs), Fraction(0))
