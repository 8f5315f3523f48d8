"""Sentences on figures of perfect play that depend on which of several best mixes is named."""

from collections.abc import Callable
from typing import Final

from evenodds.figures.formatting import percent

NAMED_MIXES_NOTE: Final = (
    "Several strategies are perfect. These figures use the one the computer plays; others may give "
    "different figures."
)
"""Said once of figures that hold for the mixes that the computer plays, where several are best."""

OTHERS_REACHED: Final = "other perfect strategies reach"
"""Introduces a range that was reached, where other mixes may go beyond it."""


def depends_on_mixes(
    range: tuple[float, float] | None, format_figure: Callable[[float], str] = percent
) -> bool:
    """Whether a figure of perfect play may be another with other best mixes.

    `range` is the least and the most over other best mixes, None where that is not known. A range
    whose ends are written alike counts as no range.
    """
    return range is None or format_figure(range[0]) != format_figure(range[1])


def other_mixes_note(
    range: tuple[float, float] | None,
    format_figure: Callable[[float], str] = percent,
    others: str = "other perfect strategies score",
) -> str:
    """The addition to a figure of perfect play: its range over other best mixes, where known."""
    if range is None or not depends_on_mixes(range, format_figure):
        return ""
    least, most = map(format_figure, range)
    return f" ({others} {least} to {most})"
