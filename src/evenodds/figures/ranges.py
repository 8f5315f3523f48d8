"""The range of a figure."""

from typing import NamedTuple

from evenodds.figures.tolerance import VALUE_TOLERANCE


class Range(NamedTuple):
    """The least and the greatest value of a figure."""

    least: float
    most: float

    @property
    def is_wide(self) -> bool:
        """Whether the two differ by more than rounding."""
        return self.most - self.least > VALUE_TOLERANCE
