"""Solver output: the keys and values of all open positions, as typed buffers."""

from typing import Any, NamedTuple

from evenodds.kernels import Layout


class SolvedPositions(NamedTuple):
    """Positions in ascending order of their keys, and their values.

    In symmetric games only one of two mirror images is stored. Turn games have codes
    instead of values: the picks to the end, positive where the first seat wins, 0 for a draw.
    """

    layout: Layout
    keys: Any
    """64-bit integers: an `array` or a NumPy array. `numpy.asarray`
    takes each without a copy; binary search needs none of NumPy."""
    values: Any
    """Doubles, or 16-bit codes of turns, in the same kinds of buffers."""
    positions: int
    """Open reachable positions, mirror images counted."""
    gap: float
    """How far the value of the start may be off, both ways together: the gaps of all layers."""
