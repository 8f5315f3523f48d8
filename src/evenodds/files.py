"""Files that are the old one or the whole new one; and damaged ones, of which each is kept."""

import os
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def replace_file(path: "Path", text: str, mode: int = 0o644) -> None:
    """Write a file so that it is on disk as a whole, name and all, before this returns.

    Where that fails, the old one is there and nothing else.
    """
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    try:
        _write(new, text, mode)
        os.replace(new, path)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise
    if os.name != "nt":  # the name too must be on disk; Windows does that by itself
        parent = os.open(path.parent, os.O_RDONLY)
        os.fsync(parent)
        os.close(parent)


def _write(path: "Path", text: str, mode: int) -> None:
    with open(
        os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8"
    ) as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def put_aside(path: "Path", aside: "Path") -> "Path":
    """Rename a damaged file to where it harms nobody, numbered so that it covers no other.

    The new name; OSError where it stays in its place.
    """
    for number in count(1):
        place = aside.with_name(f"{aside.name}{number if number > 1 else ''}")
        if not place.exists():
            break
    path.rename(place)
    return place
