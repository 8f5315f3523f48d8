"""Kernels for flows of matches along the links of a graph.

A mass is the share of all matches at a position; it is pushed along links.
"""

from typing import Any

from evenodds.core.vocabulary import rule
from evenodds.engine.component_kernels import ComponentGraph

NEGLIGIBLE_SHARE = 1e-17
"""A share of what entered a component that is too small to change any figure."""
NEGLIGIBLE_MASS = 1e-30
"""The same of all matches: there may be millions of components."""
VANISHING_MASS = 1e-250
"""A mass that is left where it is: sums of smaller ones are slow (subnormal numbers)."""
MAX_ELIMINATED = 32
"""Size of a component up to which its positions are eliminated one by one."""
MAX_SWEEPS = 200
"""Sweeps over a larger component after which what is left is solved for by other means."""
ENDLESS, REPEATED, LENGTH = 0, 1, 2
"""Sums over all matches: endless ones, draws by repetition, and picks."""


@rule
def mark_ending(graph: ComponentGraph, shares: Any, ending: Any) -> None:
    """Mark the positions from which likely links lead to an end."""
    for component in range(len(graph.cyclic) - 1, -1, -1):
        changed = True
        while changed:
            changed = False
            for number in range(graph.bounds[component + 1] - 1, graph.bounds[component] - 1, -1):
                place = graph.order[number]
                if ending[place]:
                    continue
                for link in range(graph.begins[place], graph.begins[place + 1]):
                    target = graph.targets[link]
                    if shares[link] > 0 and (target >= len(ending) or ending[target]):
                        ending[place] = changed = True
                        break
            changed = changed and graph.cyclic[component]


@rule
def follow_matches(
    graph: ComponentGraph,
    shares: Any,
    ending: Any,
    repetition: int,
    component: int,
    masses: Any,
    visits: Any,
    sums: Any,
    work: Any,
) -> int:
    """Push masses on, from a component to the last; `masses` hold what arrives at ends, too.

    With `repetition` a match is drawn when a position comes up so many times; otherwise matches go
    on from positions that are marked as ending, and are endless at others. `work` is a matrix with
    a row for each position that may be eliminated, and three columns more. Returns the component
    whose masses take too many sweeps, or the number of components.
    """
    while component < len(graph.cyclic):
        if repetition > 0 and graph.cyclic[component]:
            sums[REPEATED] += go_round(graph, shares, repetition, component, masses, visits)
        elif not graph.cyclic[component]:
            place = graph.order[graph.bounds[component]]
            visits[place] = masses[place]
        elif graph.bounds[component + 1] - graph.bounds[component] <= MAX_ELIMINATED:
            eliminate(graph, shares, ending, component, masses, visits, work)
        elif not sweep(graph, shares, ending, component, masses, visits):
            return component
        push_out(graph, shares, ending, component, masses, visits, sums)
        component += 1
    return component


@rule
def push_out(
    graph: ComponentGraph,
    shares: Any,
    ending: Any,
    component: int,
    masses: Any,
    visits: Any,
    sums: Any,
) -> None:
    """Push what has visited the positions of a component along the links that leave it."""
    for number in range(graph.bounds[component], graph.bounds[component + 1]):
        place = graph.order[number]
        mass = visits[place]
        if not ending[place]:
            sums[ENDLESS] += mass
        elif mass > 0:
            sums[LENGTH] += mass
            for link in range(graph.begins[place], graph.begins[place + 1]):
                if not graph.inner[link]:
                    masses[graph.targets[link]] += mass * shares[link]


@rule
def sweep(
    graph: ComponentGraph, shares: Any, ending: Any, component: int, masses: Any, visits: Any
) -> bool:
    """Push masses along the links within a component, until all has left it."""
    begin, end = graph.bounds[component], graph.bounds[component + 1]
    entered = mass_of(graph, component, masses)
    for _ in range(MAX_SWEEPS):
        for number in range(begin, end):
            place = graph.order[number]
            mass = masses[place]
            if mass <= VANISHING_MASS:
                continue
            masses[place] = 0.0
            visits[place] += mass
            if not ending[place]:
                continue
            for link in range(graph.begins[place], graph.begins[place + 1]):
                if graph.inner[link]:
                    masses[graph.targets[link]] += mass * shares[link]
        if mass_of(graph, component, masses) <= max(NEGLIGIBLE_SHARE * entered, NEGLIGIBLE_MASS):
            return True
    return False


@rule
def eliminate(
    graph: ComponentGraph,
    shares: Any,
    ending: Any,
    component: int,
    masses: Any,
    visits: Any,
    work: Any,
) -> None:
    """The visits of a small component, by elimination without subtractions (GTH).

    However unlikely it is to leave, nothing is lost to rounding. The last position is passed over
    first: what enters it goes on to those before it.
    """
    begin = graph.bounds[component]
    count = graph.bounds[component + 1] - begin
    leaves, enters, total = count, count + 1, count + 2
    fill_rows(graph, shares, ending, component, masses, work)
    for last in range(count - 1, -1, -1):
        out = work[last][leaves]
        for column in range(last):
            out += work[last][column]
        work[last][total] = out
        for row in range(last):
            work[row][enters] += work[last][enters] * work[last][row] / out
            onward = work[row][last] / out
            work[row][leaves] += onward * work[last][leaves]
            for column in range(last):
                work[row][column] += onward * work[last][column]
    for row in range(count):
        entered = work[row][enters]
        for before in range(row):
            entered += visits[graph.order[begin + before]] * work[before][row]
        visits[graph.order[begin + row]] = entered / work[row][total]


@rule
def fill_rows(
    graph: ComponentGraph, shares: Any, ending: Any, component: int, masses: Any, work: Any
) -> None:
    """A row for each position of a component, to be eliminated.

    It holds the shares of links to each position, then what leaves the component, what enters
    there, and room for the sum by which the row is divided.
    """
    begin = graph.bounds[component]
    count = graph.bounds[component + 1] - begin
    leaves, enters = count, count + 1
    for row in range(count):
        place = graph.order[begin + row]
        for column in range(count + 3):
            work[row][column] = 0.0
        work[row][enters] = masses[place]
        if not ending[place]:
            work[row][leaves] = 1.0
            continue
        for link in range(graph.begins[place], graph.begins[place + 1]):
            column = leaves
            if graph.inner[link]:
                column = position_within(graph, begin, count, graph.targets[link])
            work[row][column] += shares[link]


@rule
def position_within(graph: ComponentGraph, begin: int, count: int, place: int) -> int:
    """The number of a position within its component."""
    for number in range(count):
        if graph.order[begin + number] == place:
            return number
    return -1


@rule
def mass_of(graph: ComponentGraph, component: int, masses: Any) -> float:
    """The mass at all positions of a component."""
    mass = 0.0
    for number in range(graph.bounds[component], graph.bounds[component + 1]):
        mass += masses[graph.order[number]]
    return mass


@rule
def go_round(
    graph: ComponentGraph, shares: Any, repetition: int, component: int, masses: Any, visits: Any
) -> float:
    """Push masses round a cycle of one or two positions; what is drawn by repetition.

    A cycle has a single way round, so the position of entry is always the first to repeat.
    """
    begin, end = graph.bounds[component], graph.bounds[component + 1]
    one, two = graph.order[begin], graph.order[end - 1]
    stay_one = inner_share(graph, shares, one)
    stay_two = inner_share(graph, shares, two)
    drawn = 0.0
    for _ in range(end - begin):
        mass = masses[one]
        for _ in range((end - begin) * (repetition - 1)):
            visits[one] += mass
            mass *= stay_one
            one, two, stay_one, stay_two = two, one, stay_two, stay_one
        drawn += mass
        one, two, stay_one, stay_two = two, one, stay_two, stay_one
    return drawn


@rule
def inner_share(graph: ComponentGraph, shares: Any, place: int) -> float:
    """The share of the links of a position that stay within its component."""
    share = 0.0
    for link in range(graph.begins[place], graph.begins[place + 1]):
        if graph.inner[link]:
            share += shares[link]
    return share


@rule
def advance_masses(begins: Any, targets: Any, shares: Any, masses: Any, arrived: Any) -> None:
    """Add the masses one pick later to those of positions and ends."""
    for place in range(len(begins) - 1):
        mass = masses[place]
        if mass > VANISHING_MASS:
            for link in range(begins[place], begins[place + 1]):
                arrived[targets[link]] += mass * shares[link]
