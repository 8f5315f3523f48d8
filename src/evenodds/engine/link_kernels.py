"""Kernels over the links of a graph, the same for all games.

They run over lists, or compiled over arrays. Positions and ends have one numbering, ends last.
"""

from typing import Any, NamedTuple

from evenodds.core.vocabulary import rule
from evenodds.engine.game_functions import kernel

ACYCLIC, LARGE = -1, -2
"""Instead of how far its links reach: of a component without links within, and of a large one."""
WORTH_TOLERANCE = 1e-15
"""A gain this small is rounding."""
VANISHING_MASS = 1e-250
"""A mass that is left where it is: sums of smaller ones are slow (subnormal numbers)."""


class Links(NamedTuple):
    """The links of positions, which are listed in the order of play, component by component."""

    begins: Any
    """The first link of each position, and the number of links."""
    targets: Any
    """Of each link a position, or an end; ends are numbered after all positions."""
    inner: Any
    """Whether each link stays within its component."""
    order: Any
    """All positions; a component leads only to components after it, to ends and to itself."""
    bounds: Any
    """Where each component begins in this order, and the number of positions."""


class Elimination(NamedTuple):
    """Room to eliminate a component; its positions have numbers in the order of play."""

    cells: Any
    """The share that goes from number i to j, at 2 * reach * i + reach + j."""
    leaving: Any
    """The share of each number that goes to greater ones or leaves the component."""
    figures: Any
    """What is known of each number."""
    numbers: Any
    """The number of each position."""


@kernel
def fill_parents(targets: Any, sources: Any, bounds: Any, parents: Any) -> None:
    """List the sources of the links to each position and end, those of one after another.

    `bounds` begins as zeros, one more than there are positions and ends; afterwards the sources of
    a target are between its bound and the next.
    """
    for target in targets:
        bounds[target] += 1
    total = 0
    for target in range(len(bounds)):
        total += bounds[target]
        bounds[target] = total
    for link in range(len(targets) - 1, -1, -1):
        bounds[targets[link]] -= 1
        parents[bounds[targets[link]]] = sources[link]


@kernel
def list_backwards(bounds: Any, parents: Any, ahead: Any, order: Any) -> int:
    """List positions and ends, each after all that it leads to; how many there are.

    `ahead` counts the links of each that lead to what is not listed yet. Positions from which play
    can come back to one are left out.
    """
    listed = 0
    for place in range(len(ahead)):
        if ahead[place] == 0:
            order[listed] = place
            listed += 1
    done = 0
    while done < listed:
        place = order[done]
        done += 1
        for link in range(bounds[place], bounds[place + 1]):
            parent = parents[link]
            ahead[parent] -= 1
            if ahead[parent] == 0:
                order[listed] = parent
                listed += 1
    return listed


@kernel
def settle(
    sides: Any, outcomes: Any, bounds: Any, parents: Any, ahead: Any, queue: Any, codes: Any
) -> None:
    """Fill in the code of every turn that is won or lost.

    A code is the number of picks to the end, positive where the first seat wins; 0 for a draw. The
    seat to move, `sides` as a sign, wins if some pick leads to a win, and loses if all lead to
    losses: `ahead` counts the picks that are left. From the ends back, the nearest first, so that
    wins are the shortest and losses the longest.
    """
    count = len(codes)
    listed = 0
    for end in range(len(outcomes)):
        if outcomes[end] != 0:
            queue[listed] = count + end
            listed += 1
    done = 0
    while done < listed:
        place = queue[done]
        done += 1
        code = outcomes[place - count] if place >= count else codes[place]
        distance = 0 if place >= count else abs(code)
        for link in range(bounds[place], bounds[place + 1]):
            parent = parents[link]
            if codes[parent] == 0:
                ahead[parent] -= 1
                if code * sides[parent] > 0 or ahead[parent] == 0:
                    codes[parent] = distance + 1 if code > 0 else -distance - 1
                    queue[listed] = parent
                    listed += 1


@rule
def fill_cells(
    links: Links, shares: Any, begin: int, end: int, reach: int, room: Elimination
) -> None:
    """Number the positions of a component, and spread out the shares of their links."""
    for cell in range((end - begin) * (2 * reach + 1)):
        room.cells[cell] = 0.0
    for number in range(begin, end):
        room.numbers[links.order[number]] = number - begin
    for number in range(end - begin):
        place, leaving = links.order[begin + number], 0.0
        for link in range(links.begins[place], links.begins[place + 1]):
            if links.inner[link]:
                target = room.numbers[links.targets[link]]
                room.cells[2 * reach * number + reach + target] += shares[link]
            else:
                leaving += shares[link]
        room.leaving[number] = leaving


@rule
def eliminate(count: int, reach: int, room: Elimination) -> None:
    """Pass over positions one by one: what enters a position goes on to the others.

    Without subtractions (GTH): however little of play leaves, nothing is lost to rounding.
    """
    cells, leaving, step = room.cells, room.leaving, 2 * reach
    for number in range(count):
        own, end, out = step * number + reach, min(number + reach + 1, count), leaving[number]
        for other in range(number + 1, end):
            leaving[number] += cells[own + other]
        if leaving[number] == 0:
            leaving[number] = out = 1.0  # play from here never ends: it goes no further
        for entry in range(number + 1, end):
            line = step * entry + reach
            part = cells[line + number] / leaving[number]
            if part > 0:
                leaving[entry] += part * out
                for other in range(number + 1, end):
                    cells[line + other] += part * cells[own + other]


@rule
def solve_eliminated(count: int, reach: int, onward: bool, room: Elimination) -> None:
    """Make of what enters each number how often play comes to it.

    If not `onward`, of what each number's links out of the component lead to, the mean of all play.
    """
    eliminate(count, reach, room)
    cells, figures, step = room.cells, room.figures, 2 * reach
    for number in range(count):
        figure = figures[number] / room.leaving[number]
        for other in range(number + 1, min(number + reach + 1, count)):
            one, two = (number, other) if onward else (other, number)
            figures[other] += figure * cells[step * one + reach + two]
    for number in range(count - 1, -1, -1):
        for other in range(number + 1, min(number + reach + 1, count)):
            one, two = (other, number) if onward else (number, other)
            figures[number] += figures[other] * cells[step * one + reach + two]
        figures[number] /= room.leaving[number]


@kernel
def push_on(
    links: Links, shares: Any, reaches: Any, part: int, masses: Any, visits: Any, room: Elimination
) -> int:
    """Push masses on, from a component to the last; `masses` hold what arrives at ends, too.

    A mass is the share of all matches. Returns a large component, or the number of components.
    """
    while part < len(links.bounds) - 1 and reaches[part] != LARGE:
        begin, end = links.bounds[part], links.bounds[part + 1]
        for number in range(begin, end):
            room.figures[number - begin] = masses[links.order[number]]
        if reaches[part] != ACYCLIC:
            fill_cells(links, shares, begin, end, reaches[part], room)
            solve_eliminated(end - begin, reaches[part], True, room)
        for number in range(begin, end):
            place, visit = links.order[number], room.figures[number - begin]
            visits[place] = visit
            for link in range(links.begins[place], links.begins[place + 1]):
                if visit > VANISHING_MASS and not links.inner[link]:
                    masses[links.targets[link]] += visit * shares[link]
        part += 1
    return part


@kernel
def sum_back(
    links: Links, shares: Any, reaches: Any, part: int, sums: Any, room: Elimination
) -> int:
    """Of each position the mean of what its links lead to, from a component back to the first.

    Returns a large component, or -1.
    """
    while part >= 0 and reaches[part] != LARGE:
        begin, end = links.bounds[part], links.bounds[part + 1]
        for number in range(begin, end):
            place, total = links.order[number], 0.0
            for link in range(links.begins[place], links.begins[place + 1]):
                if not links.inner[link]:
                    total += shares[link] * sums[links.targets[link]]
            room.figures[number - begin] = total
        if reaches[part] != ACYCLIC:
            fill_cells(links, shares, begin, end, reaches[part], room)
            solve_eliminated(end - begin, reaches[part], False, room)
        for number in range(begin, end):
            sums[links.order[number]] = room.figures[number - begin]
        part -= 1
    return part


@kernel
def raise_worths(links: Links, shares: Any, own: Any, sweeps: int, worths: Any, best: Any) -> bool:
    """Raise what positions are worth to that of their best own link, or the mean of the other's.

    In place, the last position first, until nothing rises; False if that takes more sweeps. `best`
    is the best link of each own position, the first of equals, but rather one that leaves its
    component; it is replaced only for a gain.
    """
    for _ in range(sweeps):
        rising = False
        for number in range(len(links.order) - 1, -1, -1):
            place = links.order[number]
            begin, end = links.begins[place], links.begins[place + 1]
            found, chosen = 0.0, begin
            if own[place]:
                found = worths[links.targets[begin]]
            for link in range(begin, end):
                worth = worths[links.targets[link]]
                if not own[place]:
                    found += shares[link] * worth
                elif worth > found or (
                    worth == found and links.inner[chosen] and not links.inner[link]
                ):
                    found, chosen = worth, link
            if found > worths[place] + WORTH_TOLERANCE:
                rising = True
                best[place] = chosen
            elif best[place] < 0:
                best[place] = chosen
            worths[place] = max(worths[place], found)
        if not rising:
            return True
    return False
