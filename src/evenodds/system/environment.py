"""Settings from environment variables, and the cores and memory that they allow."""

import os

from evenodds.system.errors import InvalidInput
from evenodds.system.text import parse_whole, shorten


class BadSetting(InvalidInput, ValueError):
    """An environment variable with a value that is not allowed."""


def megabytes(name: str, usual: int) -> int:
    """A limit in bytes from a setting in megabytes; `usual` where it is not set."""
    chosen = whole_setting(name, "whole megabytes")
    return usual if chosen is None else chosen << 20


def core_limit() -> int:
    """How many cores one solve may use: EVENODDS_CORES, or all that the machine has."""
    return whole_setting("EVENODDS_CORES", "whole numbers") or os.cpu_count() or 1


def whole_setting(name: str, allowed: str) -> int | None:
    """A setting that is a whole number; None where it is not set."""
    text = os.environ.get(name, "").strip()
    chosen = parse_whole(text)
    if text and chosen is None:
        raise BadSetting(f"{name}={shorten(text)} is not allowed; allowed: {allowed}")
    return chosen
