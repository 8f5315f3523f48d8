"""Kernel that selects the best mixes of a seat at many positions."""

from typing import Any

from evenodds.core.vocabulary import rule
from evenodds.figures.tolerance import VALUE_TOLERANCE
from evenodds.kernels.game_functions import legal, locate, unpack
from evenodds.kernels.solve import fill_payoff, find
from evenodds.simplex.equilibrium_selection import select_mix


@rule
def select_mix_at(state: Any, seat: int, solution: Any, workspace: Any) -> bool:
    """Leave the selected mix of a seat in the workspace; False where rounding made it fall short.

    `solution` is the layout, keys and values of a solved game; `workspace` is the payoff matrix,
    its negated transpose, a linear program and a mix.
    """
    solved_layout, keys, values = solution
    payoff, transposed, program, mix = workspace
    height, width = fill_payoff(state, solved_layout, keys, values, payoff)
    for i in range(height):
        for j in range(width):
            transposed[j, i] = -payoff[i, j]
    if seat == 1:
        height, width = width, height
    side = payoff if seat == 0 else transposed
    select_mix(program, side, height, width, mix)
    key, sign = locate(state, solved_layout)
    value = (1 - 2 * seat) * sign * values[find(keys, key)]
    sound: bool = guaranteed_value(side, mix, height, width) >= value - VALUE_TOLERANCE
    return sound


@rule
def fill_selected_mixes(
    rulings: Any,
    layout: Any,
    layer: Any,
    begin: int,
    end: int,
    seat: int,
    solution: Any,
    workspace: Any,
    shares: Any,
) -> int:
    """The selected mixes of a seat; `end`, or the first position whose mix fell short."""
    for place in range(begin, end):
        state = unpack(layer[place], rulings, layout)
        if not select_mix_at(state, seat, solution, workspace):
            return place
        scatter_mix(legal(state, seat), workspace[3], shares[place - begin])
    return end


@rule
def guaranteed_value(payoff: Any, mix: Any, height: int, width: int) -> float:
    """The least that a mix of rows wins against any column."""
    least = 2.0
    for j in range(width):
        wins = 0.0
        for i in range(height):
            wins += mix[i] * payoff[i, j]
        least = min(least, wins)
    return least


@rule
def scatter_mix(moves: int, mix: Any, line: Any) -> None:
    """Write a mix over the legal picks into a row with a column for every number."""
    place = 0
    number = 0
    while moves >> number:
        if moves >> number & 1:
            line[number] = mix[place]
            place += 1
        number += 1
