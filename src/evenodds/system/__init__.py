"""Operating system and network: files, locks, the cache folder, sockets, text.

The bottom layer: it knows no game. Here is what all others tell their callers by: errors, and
progress reports of long work.
"""

from collections.abc import Callable
from typing import Final

__version__ = "0.2.0"
EXIT_INTERRUPTED: Final = 130
"""The exit code of a process that was interrupted, as shells have it."""

Progress = Callable[[str, int, int], None]
"""Called with the stage, the amount done and the total (0 where that is not known).

A stage is a verb and what is counted, as in "solving positions"."""


class EvenOddsError(Exception):
    """The base class of expected errors: the message says in one line what failed, and why."""


class InvalidInput(EvenOddsError):
    """The base class of errors in what was asked for: a ruling, a name, an option."""


def silent(stage: str, done: int, total: int) -> None:
    """Report no progress."""
