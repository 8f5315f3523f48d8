"""The tolerance within which two values count as equal."""

from typing import Final

VALUE_TOLERANCE: Final = 1e-9
"""Values and scores this near to each other are equal: what the solver certifies."""
