"""Kernels over blocks of positions and their pairs of picks, the same for all games."""

from typing import Any

from evenodds.core.vocabulary import rule
from evenodds.engine.game_functions import kernel
from evenodds.engine.mix_selection import select_mix
from evenodds.figures import VALUE_TOLERANCE


@kernel
def push_mass_along_blocks(
    mass: Any, first: Any, second: Any, targets: Any, arrived: Any, ends: Any
) -> None:
    """Add the mass of each row, times the shares of both picks, to the target of each pair.

    The targets of ends are numbered after those of all positions.
    """
    for row in range(targets.shape[0]):
        for i in range(targets.shape[1]):
            part = mass[row] * first[row, i]
            if part == 0.0:
                continue
            for j in range(targets.shape[2]):
                target = targets[row, i, j]
                if target < arrived.size:
                    arrived[target] += part * second[row, j]
                else:
                    ends[target - arrived.size] += part * second[row, j]


@kernel
def fill_selected_mixes(
    values: Any,
    places: Any,
    targets: Any,
    begin: int,
    end: int,
    seat: int,
    workspace: Any,
    shares: Any,
) -> int:
    """The selected mixes of a seat in a block; `end`, or the first row whose mix fell short.

    `values` are the values of all places for the first seat. `workspace` is a payoff matrix, a
    linear program and a mix. A mix falls short by rounding alone.
    """
    payoff, program, mix = workspace
    height, width = targets.shape[1 + seat], targets.shape[2 - seat]
    side = 1.0 - 2.0 * seat
    for row in range(begin, end):
        for i in range(height):
            for j in range(width):
                target = targets[row, i, j] if seat == 0 else targets[row, j, i]
                payoff[i][j] = side * values[target]
        select_mix(program, payoff, height, width, mix)
        least = guaranteed_value(payoff, mix, height, width)
        if least < side * values[places[row]] - VALUE_TOLERANCE:
            return row
        for i in range(height):
            shares[row, i] = mix[i]
    return end


@rule
def guaranteed_value(payoff: Any, mix: Any, height: int, width: int) -> float:
    """The least that a mix of rows wins against any column."""
    least = 2.0
    for j in range(width):
        wins = 0.0
        for i in range(height):
            wins += mix[i] * payoff[i][j]
        least = min(least, wins)
    return least
