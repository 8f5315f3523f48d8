"""The base class of the errors that callers of the package may meet, and an exit code."""

from typing import Final

EXIT_INTERRUPTED: Final = 130
"""The exit code of a process that was interrupted, as shells have it."""


class EvenOddsError(Exception):
    """The base class of expected errors: the message says in one line what failed, and why."""


class InvalidInput(EvenOddsError):
    """The base class of errors in what was asked for: a ruling, a name, an option."""
