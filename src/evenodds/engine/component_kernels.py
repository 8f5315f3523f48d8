"""Kernel that finds the strongly connected components of a graph of links."""

from typing import Any, NamedTuple

from evenodds.core.vocabulary import rule


class ComponentGraph(NamedTuple):
    """Positions and links, and the strongly connected components in the order of play.

    A component leads only to components after it, to ends, and to itself.
    """

    begins: Any
    """The first link of each position, and the number of links."""
    targets: Any
    """Of each link: a position, or an end, which are numbered after all positions."""
    inner: Any
    """Whether each link stays within its component."""
    components: Any
    """The component of each position."""
    order: Any
    """All positions, component after component."""
    bounds: Any
    """Where each component begins in this order, and the number of positions."""
    cyclic: Any
    """Whether each component has links within."""


class ComponentWorkspace(NamedTuple):
    """What `fill_components` writes on the way, a number for each position."""

    numbers: Any
    """In the order in which they are found, from 1; 0 before that."""
    lows: Any
    """The least of these numbers that is reached, within the component."""
    stack: Any
    """Positions whose component is not complete."""
    path: Any
    links: Any
    """The next link of each position of the path."""


@rule
def fill_components(
    begins: Any, targets: Any, work: ComponentWorkspace, components: Any, order: Any, ranks: Any
) -> int:
    """Number the strongly connected components, each after those that it leads to (Tarjan).

    `order` lists all positions by component; `ranks` are the longest paths of components to an end.
    Returns the number of components.
    """
    numbers, lows, stack, path, links = work
    seen = top = listed = found = 0
    for root in range(len(components)):
        depth = 0 if numbers[root] == 0 else -1
        path[0] = root
        while depth >= 0:
            place = path[depth]
            if numbers[place] == 0:
                seen += 1
                numbers[place] = lows[place] = seen
                links[depth] = begins[place]
                stack[top], components[place] = place, -1
                top += 1
            if links[depth] < begins[place + 1]:
                target = targets[links[depth]]
                links[depth] += 1
                if target < len(components) and numbers[target] == 0:
                    depth += 1
                    path[depth] = target
                elif target < len(components) and components[target] < 0:
                    lows[place] = min(lows[place], numbers[target])
                continue
            if lows[place] == numbers[place]:
                first = listed
                while listed == first or order[listed - 1] != place:
                    top -= 1
                    order[listed] = stack[top]
                    components[stack[top]] = found
                    listed += 1
                ranks[found] = rank_of(begins, targets, components, order, first, listed, ranks)
                found += 1
            depth -= 1
            if depth >= 0:
                lows[path[depth]] = min(lows[path[depth]], lows[place])
    return found


@rule
def rank_of(
    begins: Any, targets: Any, components: Any, order: Any, first: int, end: int, ranks: Any
) -> int:
    """The longest path of a component, whose positions are a part of `order`, to an end."""
    rank = 0
    for place in order[first:end]:
        for link in range(begins[place], begins[place + 1]):
            target = targets[link]
            if target < len(components) and components[target] != components[place]:
                rank = max(rank, ranks[components[target]] + 1)
    return rank
