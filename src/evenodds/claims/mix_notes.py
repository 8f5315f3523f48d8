"""Sentences on figures of perfect play that depend on which of several best mixes is named."""

from collections.abc import Callable
from typing import Final

from evenodds.figures.formatting import percent

NAMED_MIXES: Final = "with the computer's strategy"
"""Said of a figure that holds for the mixes that the computer plays, where several are best."""

OTHERS_REACHED: Final = "other perfect strategies reach"
"""Introduces a range that was reached, where other mixes may go beyond it."""


def named_mixes_note(
    range: tuple[float, float] | None,
    format_figure: Callable[[float], str] = percent,
    others: str = "other perfect strategies score",
) -> str:
    """The addition to a figure of perfect play that depends on the named mixes; else nothing.

    `range` is the least and the most over other best mixes, None where that is not known. A range
    whose ends are written alike counts as no range.
    """
    if range is None:
        return f" {NAMED_MIXES}"
    least, most = map(format_figure, range)
    return "" if least == most else f" {NAMED_MIXES} ({others} {least} to {most})"
