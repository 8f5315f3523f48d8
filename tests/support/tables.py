"""Solved tables and other files in the cache folder; the one door of tests to it."""

from pathlib import Path

from evenodds.system.cache_folder import cached_files, folder

__all__ = ["cached", "folder", "forget", "kept", "tables"]


def cached(suffix: str) -> list[Path]:
    """All files of a kind, the one used last first."""
    return [file.path for file in cached_files() if file.path.suffix == f".{suffix}"]


def tables() -> list[Path]:
    """All tables, the one used last first."""
    return cached("table")


def kept() -> Path:
    """The one table there is."""
    (path,) = tables()
    return path


def forget() -> None:
    """Remove all results; kernels stay."""
    for file in cached_files():
        if file.suffix != "loops":
            file.path.unlink()
