"""Kernels for play between policies: policy shares, probability flow, best responses.

They use names that `compile.py` fills in: `legal`, `step`, `outcome`, `pack` and `unpack` of the
game, `fill_payoff` and `locate` over its solution. The shares of a policy come in blocks: a row for
each position, a column for each number.
"""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821

from typing import Any

from evenodds.core.vocabulary import rule
from evenodds.figures.tolerance import VALUE_TOLERANCE
from evenodds.kernels.solve import ONGOING, find
from evenodds.simplex.equilibrium_selection import select_mix


@rule
def fill_uniform(
    rulings: Any, layout: Any, layer: Any, begin: int, end: int, seat: int, shares: Any
) -> None:
    """The uniform mix of a seat over its legal picks."""
    for place in range(begin, end):
        moves = legal(unpack(layer[place], rulings, layout), seat)
        share = 1.0 / count_moves(moves)
        number = 0
        while moves >> number:
            if moves >> number & 1:
                shares[place - begin, number] = share
            number += 1


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
def fill_yields(
    rulings: Any,
    layout: Any,
    layer: Any,
    begin: int,
    end: int,
    seat: int,
    solution: Any,
    workspace: Any,
    yields: Any,
) -> int:
    """What each pick wins against the other seat's selected mix; returns like the above."""
    payoff, transposed, _, mix = workspace
    for place in range(begin, end):
        state = unpack(layer[place], rulings, layout)
        if not select_mix_at(state, 1 - seat, solution, workspace):
            return place
        side = payoff if seat == 0 else transposed
        count = count_moves(legal(state, 1 - seat))
        moves = legal(state, seat)
        number = 0
        row = 0
        while moves >> number:
            if moves >> number & 1:
                worth = 0.0
                for j in range(count):
                    worth += mix[j] * side[row, j]
                yields[place - begin, number] = worth
                row += 1
            number += 1
    return end


@rule
def count_moves(moves: int) -> int:
    """The size of a set of picks."""
    count = 0
    while moves:
        count += moves & 1
        moves >>= 1
    return count


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


@rule
def push_mass(
    rulings: Any,
    layout: Any,
    layer: Any,
    begin: int,
    end: int,
    mass: Any,
    policies: Any,
    next_masses: Any,
    ends: Any,
) -> None:
    """Move the probability mass of positions to their successors one round later, or to the ends.

    `next_masses` is a hash table from keys to places, and the mass at each place; `ends` has a
    place for each outcome.
    """
    first, second = policies
    keys, places, masses = next_masses
    for place in range(begin, end):
        if mass[place] == 0.0:
            continue
        state = unpack(layer[place], rulings, layout)
        rows, columns = legal(state, 0), legal(state, 1)
        i = 0
        while rows >> i:
            share = mass[place] * first[place - begin, i] if rows >> i & 1 else 0.0
            j = 0
            while share > 0.0 and columns >> j:
                if columns >> j & 1 and second[place - begin, j] > 0.0:
                    child = step(state, (i, j))
                    result = outcome(child) + 0
                    part = share * second[place - begin, j]
                    if result == ONGOING:
                        masses[places[find(keys, pack(child, layout))]] += part
                    else:
                        ends[result + 1] += part
                j += 1
            i += 1


@rule
def fill_best_responses(
    rulings: Any,
    layout: Any,
    layer: Any,
    begin: int,
    end: int,
    seat: int,
    shares: Any,
    next_values: Any,
    worths: Any,
    picks: Any,
) -> None:
    """The best pick of a seat against the shares of the other, and what it is worth to the seat.

    `next_values` is a hash table from keys one round later to places, and the value at each place.
    """
    keys, places, values = next_values
    side = 1.0 - 2.0 * seat
    for place in range(begin, end):
        state = unpack(layer[place], rulings, layout)
        own, theirs = legal(state, seat), legal(state, 1 - seat)
        best = -2.0
        i = 0
        while own >> i:
            if own >> i & 1:
                worth = 0.0
                j = 0
                while theirs >> j:
                    share = shares[place - begin, j] if theirs >> j & 1 else 0.0
                    if share > 0.0:
                        child = step(state, (i, j) if seat == 0 else (j, i))
                        result = outcome(child) + 0
                        if result == ONGOING:
                            found = places[find(keys, pack(child, layout))]
                            worth += share * values[found]
                        else:
                            worth += share * side * result
                    j += 1
                if worth > best:
                    best = worth
                    picks[place] = i
            i += 1
        worths[place] = best
