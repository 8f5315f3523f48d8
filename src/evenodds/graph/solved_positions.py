"""Solver output: the keys and values of all open positions, as arrays."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evenodds.kernels.keys import Layout


class SolvedPositions(NamedTuple):
    """Positions in ascending order of their keys, and their values.

    In symmetric games only one of two mirror images is stored. Turn games have codes
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
    """Sort positions by key, for binary search."""
    order = np.argsort(keys)
    return SolvedPositions(layout, keys[order], values[order], positions, gap)
