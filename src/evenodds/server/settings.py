"""Server settings: limits with defaults, each overridden by an environment variable."""

import os
from typing import Any, NamedTuple, get_type_hints

from evenodds.system import EvenOddsError
from evenodds.system.text import shorten

VARIABLE_PREFIX = "EVENODDS_SERVER_"


class Settings(NamedTuple):
    """Limits of a server: EVENODDS_SERVER_STREAMS=500 in the environment sets `streams`."""

    matches: int = 100_000
    """Matches that may be open at once."""
    matches_per_address: int = 300
    """The same, opened from one address."""
    streams: int = 10_000
    """Event streams that may be open at once."""
    streams_per_address: int = 100
    requests_per_second: float = 50.0
    """From one address, on average."""
    requests_at_once: int = 300
    """From one address, in a burst."""
    picks_per_second: float = 5.0
    """For one seat, on average."""
    picks_at_once: int = 20
    connections_per_address: int = 250
    """Connections that may be open at once from one address."""
    head_bytes: int = 32 * 1024
    """The largest request line with its headers."""
    body_bytes: int = 16 * 1024
    request_seconds: float = 15.0
    """Seconds that a request may take to arrive, with its body."""
    absence_minutes: float = 5.0
    """Minutes of absence after which the other player may claim the win, without a clock."""
    away_seconds: float = 3.0
    """Seconds without a stream or poll after which a player is absent: pages may be reloaded."""
    archive_days: float = 30.0
    """Days without an event after which an open match is archived."""
    idle_seconds: float = 600.0
    """Seconds without a request after which a match is dropped from memory."""
    unwatched_seconds: float = 10.0
    """Seconds without a request or stream after which the computers of a match pause."""
    drain_seconds: float = 5.0
    """Seconds that open requests have when the server stops."""


def from_environment() -> Settings:
    """The defaults, overridden by environment variables; `EvenOddsError` in one line."""
    kinds = get_type_hints(Settings)
    given: dict[str, Any] = {}
    for variable, text in os.environ.items():
        if variable.startswith(VARIABLE_PREFIX):
            name = variable.removeprefix(VARIABLE_PREFIX).lower()
            if name not in kinds:
                allowed = f"after {VARIABLE_PREFIX}: {', '.join(kinds).upper()}"
                raise EvenOddsError(f"{shorten(variable)} is no setting; allowed {allowed}")
            given[name] = _number(variable, text, kinds[name])
    return Settings(**given)


def _number(name: str, text: str, kind: type[float]) -> float:
    try:
        number = kind(text)
    except ValueError:
        number = kind(-1)
    if not 0 < number < float("inf"):
        what = "whole number" if kind is int else "number"
        raise EvenOddsError(f"{name}={shorten(text)} is not allowed; allowed: a {what} above 0")
    return number
