"""Solved tables in the cache folder."""

from pathlib import Path

from evenodds.system import cache_folder


def kept() -> Path:
    """The one table there is."""
    (path,) = tables()
    return path


def tables() -> list[Path]:
    """All tables, the one used last first."""
    return [file.path for file in cache_folder.cached_files() if file.path.suffix == ".table"]
