"""Logs an outage of the database once when it begins and once when it ends."""

from typing import Literal

from evenodds.server.logs import LOG

Use = Literal["reading", "writing", "listening"]
"""What a database is asked for: a full disk can be read, but not written."""


class Availability:
    """Which uses of a database fail now."""

    def __init__(self) -> None:
        self._failing: set[Use] = set()

    def is_failing(self, use: Use) -> bool:
        """Whether the last attempt at a use has failed."""
        return use in self._failing

    def failed(self, use: Use, error: Exception) -> None:
        """A use has failed; the first failure is logged."""
        if use not in self._failing:
            self._failing.add(use)
            details = {"use": use, "reason": str(error) or type(error).__name__}
            LOG.error("the database does not answer", extra=details)

    def succeeded(self, use: Use) -> None:
        """A use has succeeded; the first success after a failure is logged."""
        if use in self._failing:
            self._failing.discard(use)
            LOG.warning("the database answers again", extra={"use": use})
