"""Positions and links of a game of turns with their values, and what choosing picks writes."""

from typing import Any, NamedTuple


class LinkGraph(NamedTuple):
    """The positions of a game of turns, the first one at 0, and a link for each pick.

    The ends follow all positions.
    """

    begins: Any
    """The first link of each position, and the number of links."""
    targets: Any
    picks: Any
    sides: Any
    """The seat to move as a sign of values."""
    values: Any
    """Of positions and ends for the first seat."""
    distances: Any
    """Picks to the end; 0 at ends and in draws."""


class PickWorkspace(NamedTuple):
    """What the kernel writes on the way to the picks."""

    losing: Any
    """For each position and end how many picks of the seat to move lose."""
    shares: Any
    """The share of each link by the model opponent."""
    keeps: Any
    """Whether a link keeps the value."""
    returns: Any
    """Whether the opponent can take the pick of a link back."""
    scores: Any
    """For each position and end."""
    order: Any
    seen: Any
    path: Any
    links: Any
    """For each position; the last two are a stack. In the end `links` has the links chosen."""


def pick_workspace(count: int, ends: int, links: int) -> PickWorkspace:
    """Arrays for a graph of so many positions, ends and links."""
    import numpy as np

    return PickWorkspace(
        np.zeros(count + ends, np.int64),
        np.zeros(links),
        np.zeros(links, bool),
        np.zeros(links, bool),
        np.zeros(count + ends),
        *(np.zeros(count, np.int64) for _ in range(4)),
    )
