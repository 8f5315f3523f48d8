"""Optimal mixes that maximise or minimise a second figure, position by position.

The best mixes of a position are what is left on a sheet once the value has been raised and all that
would lower it is dropped; any other goal can then be raised among them (`sheet.py`).
"""

from typing import Any

import numpy as np

from evenodds.core.vocabulary import rule
from evenodds.matrix.equilibrium import begin, read_mix
from evenodds.matrix.linear_program import (
    EQUALITY_TOLERANCE,
    LinearProgram,
    drop,
    make_linear_program,
    raise_goal,
)


@rule
def fill_extremes(
    values: Any,
    figures: Any,
    places: Any,
    targets: Any,
    theirs: Any,
    seat: int,
    side: float,
    step: float,
    desk: Any,
    shares: Any,
) -> None:
    """The best mixes of a seat that bring most (`side` 1) or least (-1) of a figure.

    `values` is what each place is worth to the first seat, `figures` what the figure comes to
    there; those of `places` are found, all that they lead to is known. Each round adds `step`.
    `theirs` are the shares of the other seat. `desk` is room to work in: payoffs, gains, a sheet
    and a mix.
    """
    payoff, gains, sheet, mix = desk
    height, width = targets.shape[1 + seat], targets.shape[2 - seat]
    own = 1.0 - 2.0 * seat
    for place in range(places.size):
        for i in range(height):
            gains[i] = 0.0
            for j in range(width):
                target = targets[place, i, j] if seat == 0 else targets[place, j, i]
                payoff[i, j] = own * values[target]
                gains[i] += side * theirs[place, j] * (step + figures[target])
        best_for(sheet, payoff, height, width, gains, mix)
        found = 0.0
        for i in range(height):
            shares[place, i] = mix[i]
            found += side * gains[i] * mix[i]
        figures[places[place]] = found


@rule
def best_for(
    sheet: LinearProgram, payoff: Any, height: int, width: int, gains: Any, mix: Any
) -> None:
    """Write into `mix` the best mix of the row player that gains most besides."""
    begin(sheet, payoff, height, width)
    raise_goal(sheet, width, height)
    columns = drop(sheet, width, height)
    if columns > 0:
        aim_at(sheet, width, columns, gains, height)
        raise_goal(sheet, width, columns)
    read_mix(sheet, width, height, mix)


@rule
def aim_at(sheet: LinearProgram, rows: int, columns: int, gains: Any, height: int) -> None:
    """Make the sum of all shares, each times its gain, the goal."""
    for column in range(columns + 1):
        goal = 0.0
        if column > 0 and sheet.free[column] < height:
            goal = gains[sheet.free[column]]
        for row in range(rows):
            if sheet.basic[row] < height:
                goal += gains[sheet.basic[row]] * sheet.body[row, column]
        sheet.body[rows, column] = goal


def is_only_mix(payoff: Any, named: Any) -> bool:
    """Whether the row player has no best mix but the named one.

    Any other gives some pick a greater share.
    """
    height, width = payoff.shape
    mix = np.zeros(height)
    for pick, gains in enumerate(np.eye(height)):
        best_for(make_linear_program(height, width), payoff, height, width, gains, mix)
        if mix[pick] > named[pick] + EQUALITY_TOLERANCE:
            return False
    return True
