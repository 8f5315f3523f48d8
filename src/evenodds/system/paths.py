"""Folders on disk: user data and cache, by platform or EVENODDS_HOME."""

import os
from typing import TYPE_CHECKING, Final

from evenodds.system.files import make_private, make_private_folder

if TYPE_CHECKING:
    from pathlib import Path


DATABASE: Final = "server.sqlite"
OURS: Final = ("matches", "seats", "habits", "training", "programs", "cache", DATABASE)
"""How the names of all that we keep in the data folder begin."""


def data_folder() -> "Path":
    """The data folder; it is made when something is first kept there."""
    chosen = os.environ.get("EVENODDS_HOME")
    if chosen:
        from pathlib import Path

        return Path(chosen)
    from platformdirs import (
        user_data_path,
    )  # only when needed: the first prompt does not wait for it

    return user_data_path("evenodds", appauthor=False)


def private_folder(name: str = "") -> "Path":
    """A folder in the data folder, or that itself, made for its owner alone.

    A data folder of an earlier version is closed to others, unless it also holds what is not ours.
    """
    base = data_folder()
    folder = base / name
    make_private_folder(folder)
    if all(entry.name.startswith(OURS) for entry in base.iterdir()):
        make_private(base, 0o700)
    if name:
        make_private(folder, 0o700)
    return folder


def cache_home() -> "Path":
    """The folder for what can be made again: the platform's, or one within EVENODDS_HOME."""
    if os.environ.get("EVENODDS_HOME"):
        return data_folder() / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("evenodds", appauthor=False)
