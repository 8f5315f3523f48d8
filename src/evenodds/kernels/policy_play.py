"""Kernels for play between policies: policy shares, probability flow, best responses.

They are written against names that `compile.py` fills in: `legal`, `step`, `outcome`, `pack` and
`unpack` of the game, `fill_payoff` and `locate` over its solution. The shares of a policy come in
blocks: a line for each position, a place for each number.
"""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821

from typing import Any

from evenodds.core.vocabulary import rule
from evenodds.kernels.solve import ONGOING, find
from evenodds.matrix.equilibrium import MIX_VALUE_TOLERANCE, name_mix


@rule
def fill_uniform(
    rulings: Any, layout: Any, layer: Any, begin: int, end: int, seat: int, shares: Any
) -> None:
    """Every number open to a seat with the same share."""
    for place in range(begin, end):
        moves = legal(unpack(layer[place], rulings, layout), seat)
        share = 1.0 / moves_in(moves)
        number = 0
        while moves >> number:
            if moves >> number & 1:
                shares[place - begin, number] = share
            number += 1


@rule
def name_here(state: Any, seat: int, solution: Any, desk: Any) -> bool:
    """Name the best mix of a seat at a position; False where it falls short through rounding.

    `solution` is the layout, keys and values of a solved game; `desk` is room to work in: the
    payoffs, the payoffs as the other seat sees them, a sheet and a mix.
    """
    kept_layout, keys, values = solution
    payoff, flipped, sheet, mix = desk
    height, width = fill_payoff(state, kept_layout, keys, values, payoff)
    for i in range(height):
        for j in range(width):
            flipped[j, i] = -payoff[i, j]
    if seat == 1:
        height, width = width, height
    side = payoff if seat == 0 else flipped
    name_mix(sheet, side, height, width, mix)
    key, sign = locate(state, kept_layout)
    value = (1 - 2 * seat) * sign * values[find(keys, key)]
    sound: bool = wins_least(side, mix, height, width) >= value - MIX_VALUE_TOLERANCE
    return sound


@rule
def fill_named(
    rulings: Any,
    layout: Any,
    layer: Any,
    begin: int,
    end: int,
    seat: int,
    solution: Any,
    desk: Any,
    shares: Any,
) -> int:
    """The named best mixes of a seat; the end, or a place whose mix rounding has spoilt."""
    for place in range(begin, end):
        state = unpack(layer[place], rulings, layout)
        if not name_here(state, seat, solution, desk):
            return place
        spread(legal(state, seat), desk[3], shares[place - begin])
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
    desk: Any,
    yields: Any,
) -> int:
    """What each number of a seat wins against the named mix of the other; where it stopped."""
    payoff, flipped, _, mix = desk
    for place in range(begin, end):
        state = unpack(layer[place], rulings, layout)
        if not name_here(state, 1 - seat, solution, desk):
            return place
        side = payoff if seat == 0 else flipped
        count = moves_in(legal(state, 1 - seat))
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
def moves_in(moves: int) -> int:
    """How many numbers there are to choose from."""
    count = 0
    while moves:
        count += moves & 1
        moves >>= 1
    return count


@rule
def wins_least(payoff: Any, mix: Any, height: int, width: int) -> float:
    """What a mix of rows wins at least."""
    least = 2.0
    for j in range(width):
        wins = 0.0
        for i in range(height):
            wins += mix[i] * payoff[i, j]
        least = min(least, wins)
    return least


@rule
def spread(moves: int, mix: Any, line: Any) -> None:
    """Write a mix by places among the moves as shares of the numbers."""
    place = 0
    number = 0
    while moves >> number:
        if moves >> number & 1:
            line[number] = mix[place]
            place += 1
        number += 1


@rule
def push(
    rulings: Any,
    layout: Any,
    layer: Any,
    begin: int,
    end: int,
    mass: Any,
    policies: Any,
    onward: Any,
    ends: Any,
) -> None:
    """Send the mass of matches at some positions on: to the positions one round later, or the ends.

    `onward` is a table of keys with their places, and the mass at each; `ends` has a place for each
    outcome.
    """
    first, second = policies
    keys, places, masses = onward
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
def respond(
    rulings: Any,
    layout: Any,
    layer: Any,
    begin: int,
    end: int,
    seat: int,
    shares: Any,
    ahead: Any,
    worths: Any,
    picks: Any,
) -> None:
    """The best pick of a seat against the shares of the other, and what it is worth to the seat.

    `ahead` is a table of the keys one round later with their places, and the worth of each.
    """
    keys, places, values = ahead
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
