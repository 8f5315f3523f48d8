"""Solver output: the keys and values of all open positions, as arrays."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evenodds.kernels.keys import Layout


class SolvedPositions(NamedTuple):
    """Positions in ascending order of their keys, and what each is worth.

    Where a game can be mirrored only one of two mirror images is kept. Turn games have codes
    instead of values: the picks to the end, positive where the first seat wins, 0 for a draw.
    """

    layout: Layout
    keys: NDArray[np.int64]
    values: NDArray[Any]
    positions: int
    """Open reachable positions, mirror images counted."""
    gap: float
    """How far the value of the start may be off, both ways together: the gaps of all layers."""


def sorted_by_key(
    layout: Layout, keys: NDArray[np.int64], values: NDArray[Any], positions: int, gap: float
) -> SolvedPositions:
    """Put positions in the order of their keys."""
    order = np.argsort(keys)
    return SolvedPositions(layout, keys[order], values[order], positions, gap)
