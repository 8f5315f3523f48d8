"""Kernels for best responses to the other seat's shares of links, from the ends back.

In arrays of worths those of ends follow those of positions.
"""

from typing import Any

from evenodds.core.vocabulary import rule
from evenodds.engine.component_kernels import ComponentGraph

WORTH_TOLERANCE = 1e-15
"""A gain this small is rounding."""
NO_WORTH = -2.0
"""Less than any end is worth."""


@rule
def respond(
    graph: ComponentGraph, shares: Any, own: Any, repetition: int, worths: Any, best: Any
) -> None:
    """The worth of every position, and the first of its best links where the seat is to move.

    A match is drawn when a position comes up `repetition` times. Components must be cycles of one
    or two positions, so the position of entry is always the first to repeat.
    """
    for component in range(len(graph.cyclic) - 1, -1, -1):
        begin, end = graph.bounds[component], graph.bounds[component + 1]
        picks = (end - begin) * (repetition - 1) if graph.cyclic[component] else 1
        for number in range(begin, end):
            worth = 0.0
            for pick in range(picks - 1, -1, -1):
                turn = number if pick % 2 == 0 else begin + end - 1 - number
                worth = worth_before(graph, shares, own, graph.order[turn], worth, worths)
            place = graph.order[number]
            best[place] = first_best(graph, place, worth, worths)
            worths[place] = worth


@rule
def worth_before(
    graph: ComponentGraph, shares: Any, own: Any, place: int, ahead: float, worths: Any
) -> float:
    """What a position is worth, if links within its component lead to `ahead`."""
    found = NO_WORTH if own[place] else 0.0
    for link in range(graph.begins[place], graph.begins[place + 1]):
        worth = ahead if graph.inner[link] else worths[graph.targets[link]]
        if own[place]:
            found = max(found, worth)
        else:
            found += shares[link] * worth
    return found


@rule
def first_best(graph: ComponentGraph, place: int, worth: float, worths: Any) -> int:
    """The first best link of an own position; ties leave the component, so that matches end."""
    best = inner = int(graph.begins[place])
    most = NO_WORTH
    for link in range(graph.begins[place + 1] - 1, best - 1, -1):
        if graph.inner[link]:
            inner = link
        elif worths[graph.targets[link]] >= most:
            best, most = link, worths[graph.targets[link]]
    return inner if worth > most else best


@rule
def raise_worths(
    graph: ComponentGraph, shares: Any, own: Any, places: Any, sweeps: int, worths: Any, best: Any
) -> bool:
    """Raise what positions are worth to that of their best own link, or the mean of the other's.

    In place, the last position first, until nothing rises; False if that takes more sweeps. `best`
    is the best link of each own position, replaced only for a gain: of equal links the new one
    might stay in the component for ever, and never realise what it promises.
    """
    for _ in range(sweeps):
        rising = False
        for number in range(len(places) - 1, -1, -1):
            place = places[number]
            begin, end = graph.begins[place], graph.begins[place + 1]
            found, link_found = 0.0, begin
            if own[place]:
                found = worths[graph.targets[begin]]
            for link in range(begin, end):
                worth = worths[graph.targets[link]]
                if not own[place]:
                    found += shares[link] * worth
                elif worth > found:
                    found, link_found = worth, link
            if found > worths[place] + WORTH_TOLERANCE:
                rising = True
                best[place] = link_found
            elif best[place] < 0:
                best[place] = link_found
            worths[place] = max(worths[place], found)
        if not rising:
            return True
    return False
