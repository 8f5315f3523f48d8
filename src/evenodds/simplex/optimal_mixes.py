"""Optimal mixes that maximise or minimise a second figure, position by position.

Once the value is maximised and all columns that would lower it are dropped, what is left of a
`LinearProgram` are the optimal mixes, over which another objective is maximised.
"""

from typing import Any

from evenodds.core.vocabulary import rule
from evenodds.simplex.equilibrium_selection import read_mix, start_from_pure_pick
from evenodds.simplex.linear_program import (
    EQUALITY_TOLERANCE,
    LinearProgram,
    drop_columns,
    make_linear_program,
    maximise,
)


@rule
def fill_extreme_mixes(
    values: Any,
    figures: Any,
    places: Any,
    targets: Any,
    theirs: Any,
    seat: int,
    side: float,
    step: float,
    workspace: Any,
    shares: Any,
) -> None:
    """The optimal mixes of a seat that maximise (`side` 1) or minimise (-1) a figure.

    `values` are the values of all places for the first seat, `figures` the figure there; those of
    `places` are computed, those of their targets are known. Each round adds `step`. `theirs` are
    the shares of the other seat. `workspace` is a payoff matrix, gains, a program and a mix.
    """
    payoff, gains, program, mix = workspace
    height, width = targets.shape[1 + seat], targets.shape[2 - seat]
    own = 1.0 - 2.0 * seat
    for place in range(places.size):
        for i in range(height):
            gains[i] = 0.0
            for j in range(width):
                target = targets[place, i, j] if seat == 0 else targets[place, j, i]
                payoff[i][j] = own * values[target]
                gains[i] += side * theirs[place, j] * (step + figures[target])
        maximise_over_optimal_mixes(program, payoff, height, width, gains, mix)
        found = 0.0
        for i in range(height):
            shares[place, i] = mix[i]
            found += side * gains[i] * mix[i]
        figures[places[place]] = found


@rule
def maximise_over_optimal_mixes(
    program: LinearProgram, payoff: Any, height: int, width: int, gains: Any, mix: Any
) -> None:
    """Write into `mix` the optimal mix of the row player that maximises the gains."""
    start_from_pure_pick(program, payoff, height, width)
    maximise(program, width, height)
    columns = drop_columns(program, width, height)
    if columns > 0:
        set_weighted_objective(program, width, columns, gains, height)
        maximise(program, width, columns)
    read_mix(program, width, height, mix)


@rule
def set_weighted_objective(
    program: LinearProgram, rows: int, columns: int, gains: Any, height: int
) -> None:
    """Make the sum of all shares, each times its gain, the objective."""
    for column in range(columns + 1):
        coefficient = 0.0
        if column > 0 and program.nonbasic[column] < height:
            coefficient = gains[program.nonbasic[column]]
        for row in range(rows):
            if program.basic[row] < height:
                coefficient += gains[program.basic[row]] * program.tableau[row][column]
        program.tableau[rows][column] = coefficient


def is_only_mix(payoff: Any, selected: Any) -> bool:
    """Whether the row player has no optimal mix but the selected one.

    Any other would give some pick a greater share, so the maximum share of each pick decides.
    """
    height, width = len(payoff), len(payoff[0])
    mix = [0.0] * height
    for pick in range(height):
        gains = [0.0] * height
        gains[pick] = 1.0
        maximise_over_optimal_mixes(
            make_linear_program(height, width), payoff, height, width, gains, mix
        )
        if mix[pick] > selected[pick] + EQUALITY_TOLERANCE:
            return False
    return True
