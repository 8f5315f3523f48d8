"""The one door of tests to the cache folder, because no command tells which file holds what."""

from pathlib import Path

from evenodds.system.cache_folder import cached_files, folder


def cached(suffix: str) -> list[Path]:
    return [file.path for file in cached_files() if file.path.suffix == f".{suffix}"]


def tables() -> list[Path]:
    return cached("table")


def kept() -> Path:
    (path,) = tables()
    return path


def forget() -> None:
    for file in cached_files():
        if not file.suffix.startswith("nb"):
            file.path.unlink()
