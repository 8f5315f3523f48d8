"""The cache folder: files by kind, a size limit, eviction of the least recently used.

All kinds of files share one limit. The least recently used are removed first, by modification time;
temporary files that are being written are left alone.
"""

import os
import re
import time
from contextlib import suppress
from os import scandir, utime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from evenodds.system.environment import megabytes
from evenodds.system.files import data_folder, make_private_folder, replace_file_by

if TYPE_CHECKING:
    from collections.abc import Iterable

PRECOMPUTED: Path = Path(__file__).parents[1] / "precomputed"
"""Results that come with the package, so that the default rulings need no solver."""
LIMIT_BYTES: Final = 4 * 1024**3
"""Default limit of the folder; EVENODDS_CACHE_MB sets another."""
BLOCK_BYTES: Final = 4096
"""Allocation unit of the disk: sizes are rounded up to it."""
ABANDONED_FILE_S: Final = 3600
"""Age at which a temporary file is taken to be left by a killed process."""
SCANS_PER_LIMIT: Final = 100
"""A process scans the folder again when it has added the limit divided by this."""

_NAME: Final = re.compile(
    r"[-_][0-9a-f]{24,32}(?:-0\.py\w+(?:\.\d+)?)?\.([a-z]+)([a-z0-9_.]*\.(?:new|lock)|\.tmp\.\w+)?\Z"
)
"""Digest and kind of a file, and the suffix of a temporary one or a lock; Numba puts the version of
Python and a number between. Eviction goes by this pattern and not by a list of kinds, as the
packages that own them need not be imported."""

_added: dict[Path, int] = {}
"""Bytes that this process has added to a folder since it last scanned it."""


class CacheKind(NamedTuple):
    """A kind of cached files, declared by the package that writes them."""

    suffix: str
    """Lower-case letters."""
    label: str
    """The plural name of such files, for lists."""
    code: tuple[str, ...] = ()
    """The modules and packages of ours that compute such results, as paths: a change there leaves
    no older result to be found."""

    def path(self, name: str, digest: str) -> Path:
        """The file of a result; `digest` has 24 to 32 hexadecimal digits."""
        return folder() / f"{name}-{digest}.{self.suffix}"


class CachedFile(NamedTuple):
    """A file in the folder."""

    path: Path
    suffix: str
    """That of its kind."""
    is_new: bool
    """Whether it is a temporary file or a lock, in use or left by a killed process."""
    size: int
    """The bytes that it takes on the disk."""
    used: float
    """When it was last used."""


def folder() -> Path:
    """The cache folder: the platform's, or one within EVENODDS_HOME."""
    if os.environ.get("EVENODDS_HOME"):
        return data_folder() / "cache"
    from platformdirs import user_cache_path  # slow to import

    return user_cache_path("evenodds", appauthor=False)


def find_file(path: Path) -> Path:
    """The cached file, or else the one that the package brings under the same name.

    Names hold a digest of everything that a result depends on. What is cached may hold more: the
    figures of a sweep are added to those that are known.
    """
    brought = PRECOMPUTED / path.name
    return path if path.exists() or not brought.exists() else brought


def size_limit() -> int:
    """Bytes that the folder may hold."""
    return megabytes("EVENODDS_CACHE_MB", LIMIT_BYTES)


def cached_files() -> list[CachedFile]:
    """All files of ours in the folder, most recently used first."""
    found: list[CachedFile] = []
    with suppress(OSError), scandir(folder()) as entries:
        for entry in entries:
            name = _NAME.search(entry.name)
            with suppress(OSError):  # another process may have removed it
                if name and entry.is_file(follow_symlinks=False):
                    status = entry.stat()
                    size = -(-status.st_size // BLOCK_BYTES) * BLOCK_BYTES
                    suffix, new = name.groups()
                    path = Path(entry.path)
                    found.append(CachedFile(path, suffix, bool(new), size, status.st_mtime))
    return sorted(found, key=lambda file: file.used, reverse=True)


def write_cached_file(path: Path, parts: "Iterable[bytes | memoryview]") -> None:
    """Write a file atomically, then evict others if needed."""
    make_private_folder(path.parent)
    replace_file_by(path.with_name(f"{path.name}.{os.urandom(8).hex()}.new"), path, parts)
    _evict(path)


def mark_used(path: Path) -> None:
    """Set the modification time of a file: the order of eviction."""
    if path.parent == PRECOMPUTED:
        return
    with suppress(OSError):
        utime(path)


def _evict(newest: Path) -> None:
    """Remove the least recently used files until the folder is within its limit; never `newest`.

    The folder is scanned only now and then, as that takes long with many files; so it is reduced
    to somewhat less than the limit.
    """
    limit = size_limit()
    slack = limit // SCANS_PER_LIMIT
    with suppress(OSError):  # another process may have removed it
        size = newest.stat().st_size
        added = _added.get(newest.parent, slack) + max(size, BLOCK_BYTES)
        _added[newest.parent] = added if added <= slack else 0
        if added <= slack:
            return
    total = 0
    for file in sorted(cached_files(), key=lambda file: file.path != newest):
        total += file.size
        is_over = total > limit - slack
        if file.is_new:
            is_over = time.time() - file.used > ABANDONED_FILE_S
        if is_over and file.path != newest:
            _remove(file.path)


def clear() -> list[CachedFile]:
    """Remove all files of ours from the folder; those removed, without temporary files."""
    return [file for file in cached_files() if _remove(file.path) and not file.is_new]


def _remove(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:  # open in another process on Windows, or already removed
        return False
    return True
