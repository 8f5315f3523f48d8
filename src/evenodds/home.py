"""Where Even Odds keeps what must last: the platform's data folder, or EVENODDS_HOME."""

import os
from typing import TYPE_CHECKING

from evenodds.text import brief, whole

if TYPE_CHECKING:
    from pathlib import Path


def home() -> "Path":
    """The data folder; it is made when something is first kept there."""
    chosen = os.environ.get("EVENODDS_HOME")
    if chosen:
        from pathlib import Path

        return Path(chosen)
    from platformdirs import (
        user_data_path,
    )  # only when needed: the first prompt does not wait for it

    return user_data_path("evenodds", appauthor=False)


def cache_home() -> "Path":
    """The folder for what can be made again: the platform's, or one within EVENODDS_HOME."""
    if os.environ.get("EVENODDS_HOME"):
        return home() / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("evenodds", appauthor=False)


class BadSetting(ValueError):
    """A setting in the environment that cannot be what was meant."""


def megabytes(name: str, usual: int) -> int:
    """A limit in bytes from a setting in megabytes; the usual one where it says nothing."""
    text = os.environ.get(name, "").strip()
    if not text:
        return usual
    chosen = whole(text)
    if chosen is None:
        raise BadSetting(f"{name}={brief(text)} is not allowed; allowed: whole megabytes")
    return chosen << 20
