"""Retrograde analysis of games of turns, over lists or compiled over arrays."""

from typing import Any

from evenodds.core.vocabulary import rule


@rule
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


@rule
def settle(
    sides: Any, outcomes: Any, bounds: Any, parents: Any, ahead: Any, queue: Any, codes: Any
) -> int:
    """The code of every turn that is won or lost; how many there are.

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
    ends = listed
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
    return listed - ends
