"""Server settings: limits with defaults, each overridden by an environment variable."""

import os
from typing import Any, NamedTuple, get_type_hints

from evenodds.system.text import brief

PREFIX = "EVENODDS_SERVER_"


class BadServerSetting(ValueError):
    """A setting that is not allowed, and what is."""


class Settings(NamedTuple):
    """What a server allows: EVENODDS_SERVER_STREAMS=500 in the environment sets `streams`."""

    matches: int = 100_000
    """Matches that may be open at once."""
    matches_per_address: int = 300
    """Of these, opened from one address."""
    streams: int = 10_000
    """Streams that may be read at once."""
    streams_per_address: int = 100
    requests_per_second: float = 50.0
    """From one address, on average."""
    requests_at_once: int = 300
    """From one address, in a burst."""
    picks_per_second: float = 5.0
    """In one seat, on average."""
    picks_at_once: int = 20
    connections_per_address: int = 250
    """Connections that may be open at once from one address."""
    head_bytes: int = 32 * 1024
    """The largest request, its body not counted."""
    body_bytes: int = 16 * 1024
    request_seconds: float = 15.0
    """Seconds that a request may take to arrive, with its body."""
    absence_minutes: float = 5.0
    """Minutes after which a player who is away loses to a claim, where there is no clock."""
    away_seconds: float = 3.0
    """Seconds without a sign of somebody after which they are away: a page may be loaded again."""
    archive_days: float = 30.0
    """Days after which an open match that nobody touches is put aside."""
    idle_seconds: float = 600.0
    """Seconds after which a match that nobody looks at leaves the memory."""
    unwatched_seconds: float = 10.0
    """Seconds without a look after which the computers in a match wait for the next."""
    drain_seconds: float = 5.0
    """Seconds that requests have to end when the server stops."""


def from_environment() -> Settings:
    """The settings as the environment has them; `BadServerSetting` in one line."""
    given: dict[str, Any] = {}
    for name, kind in get_type_hints(Settings).items():
        text = os.environ.get(PREFIX + name.upper())
        if text is not None:
            given[name] = _number(PREFIX + name.upper(), text, kind)
    return Settings(**given)


def _number(name: str, text: str, kind: type[float]) -> float:
    try:
        number = kind(text)
    except ValueError:
        number = kind(-1)
    if not 0 < number < float("inf"):
        what = "whole number" if kind is int else "number"
        raise BadServerSetting(f"{name}={brief(text)} is not allowed; allowed: a {what} above 0")
    return number
