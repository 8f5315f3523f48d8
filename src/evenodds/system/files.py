"""Atomic file writes, private permissions, and renaming of damaged files."""

import os
import stat
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_STREAMS: Final = (["dev", "stdout"], ["dev", "stderr"], ["dev", "fd"])


PRIVATE: Final = 0o600
"""The mode of a file that only its owner may read."""


def replace_file(path: "Path", text: str, mode: int = PRIVATE) -> None:
    """Write a file of our own so that it is on disk as a whole, name and all, before this returns.

    Where that fails, the old one is there and nothing else.
    """
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    _replace(path, new, text, mode)


def write_out(path: "Path", text: str) -> None:
    """Write a file that somebody has named, and touch no other.

    A link leads to what is replaced. What is there and no plain file, such as a device or a pipe,
    is written to as it is.
    """
    if is_plain(path):
        target = path.resolve()
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o644
        _replace(target, _unused(target), text, mode)
    else:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def check_out(path: "Path") -> None:
    """`OSError` where a file that somebody has named cannot be written; nothing is changed."""
    if path.is_dir():
        raise IsADirectoryError(0, "it is a folder")
    if is_plain(path):
        trial = _unused(path.resolve())
        _write(trial, "", 0o600)
        trial.unlink()
    elif not os.access(path, os.W_OK):
        raise PermissionError(0, "Permission denied")


def is_plain(path: "Path") -> bool:
    """Whether a path names a plain file, or one that is not there yet; and not a way to a stream.

    `/dev/stdout` is none, even where what is said goes into a file.
    """
    _, *folders = path.absolute().parts
    if folders[:1] == ["proc"] or folders[:2] in _STREAMS:
        return False
    return path.is_file() or not path.exists()


def _unused(path: "Path") -> "Path":
    """A name beside a file that nobody uses."""
    return path.with_name(f".{os.urandom(8).hex()}.new")


def _replace(path: "Path", new: "Path", text: str, mode: int) -> None:
    """Write a new file and put it in the place of the old one."""
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


def make_private_folder(path: "Path") -> None:
    """Make a folder that only its owner may enter, and those above it that are missing."""
    missing = [each for each in (path, *path.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)


def make_private(path: "Path", mode: int = PRIVATE) -> None:
    """Take from others what they may do with a file or a folder, if it is there and is ours."""
    with suppress(FileNotFoundError, PermissionError):
        if stat.S_IMODE(path.stat().st_mode) & ~mode:
            path.chmod(mode)


def open_private(path: "Path") -> int:
    """Open a file that only its owner may read, to add to it."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, PRIVATE)
    make_private(path)
    return file


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
