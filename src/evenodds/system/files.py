"""Files of ours: the folder of user data, atomic writes, private permissions, what is damaged.

The folder is the platform's, or EVENODDS_HOME.
"""

import os
import stat
import sys
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Final

from evenodds.system import EvenOddsError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_STREAM_FOLDERS: Final = (["dev", "stdout"], ["dev", "stderr"], ["dev", "fd"])

PRIVATE_MODE: Final = 0o600
"""The mode of a file that only its owner may read."""

DATABASE: Final = "server.sqlite"
OWN_NAME_PREFIXES: Final = (
    "app.json",
    "matches",
    "seats",
    "habits",
    "training",
    "programs",
    "cache",
    "mcp.json",
    DATABASE,
)
"""Prefixes of all names that we create in the data folder."""


class Unwritable(EvenOddsError, OSError):
    """A file that a user has named cannot be written."""


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


def replace_file(path: "Path", text: str, mode: int = PRIVATE_MODE) -> None:
    """Write a file of our own atomically, as `replace_file_by` does."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    replace_file_by(new, path, [text.encode()], mode)


def replace_file_by(
    new: "Path", path: "Path", parts: "Iterable[bytes | memoryview]", mode: int = PRIVATE_MODE
) -> None:
    """Write a new file, and give it the name of another that it replaces.

    It is on disk, with its name, before this returns. On failure the old file is left, and nothing
    else.
    """
    # Data first, then the rename, then the folder: after a crash there is the old file or the new.
    try:
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise
    if sys.platform != "win32":  # Windows needs no fsync of the folder
        parent = os.open(path.parent, os.O_RDONLY)
        os.fsync(parent)
        os.close(parent)


def read_error_text(error: OSError | ValueError) -> str:
    """Why a text file could not be read, in words."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    return (isinstance(error, OSError) and error.strerror) or str(error)


def write_output(path: "Path", text: str) -> None:
    """Write a file that a user has named, and touch no other.

    The target of a symbolic link is replaced. A device or a pipe is opened and written to.
    Raises `Unwritable`.
    """
    try:
        if is_regular_file(path):
            target = path.resolve()
            mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o644
            replace_file_by(_unused(target), target, [text.encode()], mode)
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    except (OSError, ValueError) as error:
        raise Unwritable(f"{path} cannot be written: {read_error_text(error)}") from None


def check_writable_target(path: "Path") -> None:
    """Raise `OSError` where a file that a user has named cannot be written; changes nothing."""
    if path.is_dir():
        raise IsADirectoryError(0, "it is a folder")
    if is_regular_file(path):
        trial = _unused(path.resolve())
        trial.touch(exist_ok=False)
        trial.unlink()
    elif not os.access(path, os.W_OK):
        raise PermissionError(0, "Permission denied")


def is_regular_file(path: "Path") -> bool:
    """Whether a path names a regular file, or none yet; not a stream.

    `/dev/stdout` is a stream even where it is redirected to a file.
    """
    _, *folders = path.absolute().parts
    if folders[:1] == ["proc"] or folders[:2] in _STREAM_FOLDERS:
        return False
    return path.is_file() or not path.exists()


def _unused(path: "Path") -> "Path":
    return path.with_name(f".{os.urandom(8).hex()}.new")


def make_private_folder(path: "Path") -> None:
    """Make a folder of mode 0700, and its missing parents."""
    missing = [each for each in (path, *path.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)


def make_private(path: "Path", mode: int = PRIVATE_MODE) -> None:
    """Reduce the permissions of a file or folder, if it exists and is ours."""
    with suppress(FileNotFoundError, PermissionError):
        if stat.S_IMODE(path.stat().st_mode) & ~mode:
            path.chmod(mode)


def open_private(path: "Path") -> int:
    """Open a file of mode 0600 for appending."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, PRIVATE_MODE)
    make_private(path)
    return file


def rename_damaged(path: "Path", aside: "Path") -> "Path":
    """Rename a damaged file, with a number so that it replaces no other.

    Returns the new name; OSError where renaming fails.
    """
    names = (f"{aside.name}{number if number > 1 else ''}" for number in count(1))
    place = next(place for name in names if not (place := aside.with_name(name)).exists())
    path.rename(place)
    return place
