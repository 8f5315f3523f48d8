"""The base class of the errors that callers of the package may meet."""


class EvenOddsError(Exception):
    """Something that was asked for cannot be done; the message says in one line what and why."""
