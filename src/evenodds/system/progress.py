"""Progress reports of long work, as a callback."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called with the stage, the amount done and the total (0 where that is not known).

A stage is a verb and what is counted, as in "solving positions"."""


def silent(stage: str, done: int, total: int) -> None:
    """Report no progress."""
