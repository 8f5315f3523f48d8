"""Many matrix games one after another, with payoffs of any scale."""

from math import inf
from typing import Any, Final

from evenodds.core.vocabulary import rule
from evenodds.engine.game_functions import kernel
from evenodds.engine.simplex import Workspace, guarantees, solve_game

LEAST_SPAN: Final = 1e-300
"""Payoffs that lie closer together are not told apart: nothing is lost that a float can show."""


@kernel
def solve_matrices(
    payoffs: Any, begin: int, end: int, values: Any, gaps: Any, rows: Any, columns: Any, work: Any
) -> None:
    """Solve the games from `begin` to `end`: values, duality gaps and both optimal mixes."""
    for game in range(begin, end):
        payoff = payoffs[game]
        height, width = len(payoff), len(payoff[0])
        values[game], gaps[game] = solve_scaled(payoff, height, width, work)
        for i in range(height):
            rows[game][i] = work.row_mix[i]
        for j in range(width):
            columns[game][j] = work.column_mix[j]


@rule
def solve_scaled(payoff: Any, height: int, width: int, work: Workspace) -> tuple[float, float]:
    """The value of a game and the duality gap; the mixes are left in `work`.

    The tolerances of the method are absolute, so it gets the payoffs scaled to lie between 0 and 1.
    The mixes are judged in the game as it was given: no rounding of the scaled one escapes.
    """
    scale(payoff, height, width, work.payoff)
    solve_game(work, work.payoff, height, width)
    lower, upper = guarantees(work, payoff, height, width)
    return lower + 0.5 * (upper - lower), max(0.0, upper - lower)


@rule
def scale(payoff: Any, height: int, width: int, scaled: Any) -> tuple[float, float]:
    """Write payoffs so that they lie between 0 and 1; the lowest, and the span of them all."""
    low, high = inf, -inf
    for i in range(height):
        line = payoff[i]
        for j in range(width):
            low = line[j] if line[j] < low else low
            high = line[j] if line[j] > high else high
    factor = 1.0 / max(high - low, LEAST_SPAN)  # a product is faster than a quotient
    for i in range(height):
        for j in range(width):
            scaled[i][j] = (payoff[i][j] - low) * factor
    return low, high - low
