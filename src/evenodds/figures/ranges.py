"""The range of a figure."""

from typing import NamedTuple


class Range(NamedTuple):
    """The least and the greatest value of a figure."""

    least: float
    most: float
