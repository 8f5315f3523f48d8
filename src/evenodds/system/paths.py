"""The folder of user data: the platform's, or EVENODDS_HOME."""

import os
from typing import TYPE_CHECKING, Final

from evenodds.system.files import make_private, make_private_folder

if TYPE_CHECKING:
    from pathlib import Path


DATABASE: Final = "server.sqlite"
OWN_NAME_PREFIXES: Final = (
    "app.json",
    "matches",
    "seats",
    "habits",
    "training",
    "programs",
    "cache",
    DATABASE,
)
"""Prefixes of all names that we create in the data folder."""


def data_folder() -> "Path":
    """The data folder; it is created when something is first written there."""
    chosen = os.environ.get("EVENODDS_HOME")
    if chosen:
        from pathlib import Path

        return Path(chosen)
    # Imported only when needed: it would delay the first prompt.
    from platformdirs import user_data_path

    return user_data_path("evenodds", appauthor=False)


def private_folder(name: str = "") -> "Path":
    """A folder in the data folder, or that itself, of mode 0700.

    The permissions of an existing data folder are reduced, unless it holds files of others too.
    """
    base = data_folder()
    folder = base / name
    make_private_folder(folder)
    if all(entry.name.startswith(OWN_NAME_PREFIXES) for entry in base.iterdir()):
        make_private(base, 0o700)
    if name:
        make_private(folder, 0o700)
    return folder
