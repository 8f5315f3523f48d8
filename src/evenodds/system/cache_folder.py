"""The cache folder: files by kind, a size limit, eviction of the least recently used.

Solutions, studies and all other figures share one limit. What was used longest ago goes first;
a file that is being written is left alone.
"""

import os
import re
import tempfile
import time
from contextlib import suppress
from os import scandir, utime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from evenodds.system.environment import megabytes
from evenodds.system.files import make_private_folder
from evenodds.system.paths import cache_home

if TYPE_CHECKING:
    from collections.abc import Iterable

TABLE: Final = "table"
"""The kind of file with the solution of a game."""
LEVELS: Final = "levels"
"""The kind of file with how strong the levels of a game are."""
STUDY: Final = "study"
"""The kind of file with the study of a game."""
CLAIMS: Final = "claims"
"""The kind of file with what became of the promises of a rule book."""
SWEEP: Final = "sweep"
"""The kind of file with what sweeps have measured."""
LOOPS: Final = "loops"
"""The kind of file with a compiled loop."""
KINDS: Final = {
    TABLE: "solutions",
    LEVELS: "strengths of levels",
    STUDY: "studies",
    CLAIMS: "checked promises",
    SWEEP: "rows of sweeps",
    LOOPS: "compiled loops",
}
"""What files of each kind are to people."""

LIMIT_BYTES: Final = 4 * 1024**3
"""What the folder may hold, unless EVENODDS_CACHE_MB says otherwise."""
BLOCK_BYTES: Final = 4096
"""The least that a file takes on a disk."""
ABANDONED_S: Final = 3600
"""Seconds after which nobody is writing a file any more."""
SLACK: Final = 100
"""A process looks through the folder again when it has added this fraction of the limit."""

_NAME: Final = re.compile(rf"\.({'|'.join(KINDS)})([^.]*\.new)?\Z")

_added: dict[Path, int] = {}
"""Bytes that this process has added to a folder since it last looked through it."""


class KeptFile(NamedTuple):
    """A file in the folder."""

    path: Path
    kind: str
    is_new: bool
    """Whether it is being written, or was when a process was killed."""
    size: int
    """The bytes that it takes on the disk."""
    used: float
    """When it was last used."""


def folder() -> Path:
    """The cache folder."""
    return cache_home()


def size_limit() -> int:
    """Bytes that the folder may hold."""
    return megabytes("EVENODDS_CACHE_MB", LIMIT_BYTES)


def kept_files() -> list[KeptFile]:
    """Everything of ours in the folder, the file used last first."""
    found: list[KeptFile] = []
    with suppress(OSError), scandir(folder()) as entries:
        for entry in entries:
            name = _NAME.search(entry.name)
            with suppress(OSError):  # somebody else may have removed it meanwhile
                if name and entry.is_file(follow_symlinks=False):
                    status = entry.stat()
                    size = -(-status.st_size // BLOCK_BYTES) * BLOCK_BYTES
                    kind, new = name.groups()
                    path = Path(entry.path)
                    found.append(KeptFile(path, kind, bool(new), size, status.st_mtime))
    return sorted(found, key=lambda file: file.used, reverse=True)


def write_cached_file(path: Path, parts: "Iterable[bytes | memoryview]") -> None:
    """Write a file so that it is there as a whole or not at all, and make room for it."""
    make_private_folder(path.parent)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".new")
    try:
        with os.fdopen(handle, "wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
    make_room(path)


def mark_used(path: Path) -> None:
    """Say that a file was used, so that others go first."""
    with suppress(OSError):
        utime(path)


def make_room(newest: Path) -> None:
    """Remove what was used longest ago until the folder is within its limit; not the newest."""
    limit = size_limit()
    slack = limit // SLACK
    with suppress(OSError):  # somebody else may have removed it meanwhile
        size = newest.stat().st_size
        added = _added.get(newest.parent, slack) + max(size, BLOCK_BYTES)
        _added[newest.parent] = added if added <= slack else 0
        if added > slack:
            _trim(newest, limit - slack)


def _trim(newest: Path, limit: int) -> None:
    total = 0
    for file in sorted(kept_files(), key=lambda file: file.path != newest):
        total += file.size
        is_over = total > limit
        if file.is_new:
            is_over = time.time() - file.used > ABANDONED_S
        if is_over and file.path != newest:
            _remove(file.path)


def clear() -> list[KeptFile]:
    """Remove everything of ours from the folder; what was removed, less what was half-written."""
    return [file for file in kept_files() if _remove(file.path) and not file.is_new]


def _remove(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:  # somebody holds it open, or has removed it
        return False
    return True
