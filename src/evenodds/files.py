"""Files that are either the old one or the whole new one, whatever happens."""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def replace_file(path: "Path", text: str, mode: int = 0o644) -> None:
    """Write a file so that it is on disk as a whole, name and all, before this returns."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    with open(
        os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8"
    ) as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)
    if os.name != "nt":  # the name too must be on disk; Windows does that by itself
        parent = os.open(path.parent, os.O_RDONLY)
        os.fsync(parent)
        os.close(parent)
