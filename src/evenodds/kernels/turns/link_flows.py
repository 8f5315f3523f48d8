"""Kernels for flows of matches along the links of a graph.

A mass is the share of all matches at a position; it is pushed along links.
"""

from typing import Any

from evenodds.core.vocabulary import rule
from evenodds.kernels.turns.components import ComponentGraph

NEGLIGIBLE_SHARE = 1e-17
"""A share of what entered a component that is too small to change any figure."""
NEGLIGIBLE_MASS = 1e-30
"""The same of all matches: there may be millions of components."""
VANISHING_MASS = 1e-250
"""A mass that is left where it is: sums of smaller ones are slow (subnormal numbers)."""
MAX_SWEEPS = 200
"""Sweeps over a component after which what is left is solved for by other means."""
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
                    if shares[link] > 0 and (target < 0 or ending[target]):
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
) -> int:
    """Push masses on, from a component to the last; `masses` hold what arrives at ends, too.

    With `repetition` a match is drawn when a position comes up so many times; otherwise matches go
    on from positions that are marked as ending, and are endless at others. Returns the component
    whose masses take too many sweeps, or the number of components.
    """
    while component < len(graph.cyclic):
        if repetition > 0 and graph.cyclic[component]:
            sums[REPEATED] += go_round(graph, shares, repetition, component, masses, visits)
        elif not sweep(graph, shares, ending, component, masses, visits):
            return component
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
        component += 1
    return component


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
            if not graph.cyclic[component] or not ending[place]:
                continue
            for link in range(graph.begins[place], graph.begins[place + 1]):
                if graph.inner[link]:
                    masses[graph.targets[link]] += mass * shares[link]
        left = mass_of(graph, component, masses) if graph.cyclic[component] else 0.0
        if left <= max(NEGLIGIBLE_SHARE * entered, NEGLIGIBLE_MASS):
            return True
    return False


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
