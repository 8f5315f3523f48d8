"""The SQLite backend, for one server process."""

import asyncio
import os
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

from sqlalchemy import Select, create_engine, event
from sqlalchemy.engine import URL

from evenodds.server.storage.database import AS_STORED, Database, DatabaseError, DatabaseRemoved

T = TypeVar("T")
LOCK_TIMEOUT_S: Final = 5
"""Seconds to wait for a lock that another program holds on the file."""
SPARE_BYTES: Final = 1 << 18
"""Free bytes below which a pick may fail to be written, though a smaller write still fits."""


class SqliteDatabase(Database):
    """A SQLite file, with one writer at a time; readers do not wait for it.

    Both have a thread: the event loop waits neither for the disk nor for a lock of the file.
    """

    def __init__(self, url: URL) -> None:
        super().__init__()
        path = Path(url.database or ".")
        self._folder = path.parent
        self._inodes: dict[Path, tuple[int, int] | None] = {path: None, Path(f"{path}-wal"): None}
        """The files that are written, and which they were when they were first seen."""
        self.engine = create_engine(url, **AS_STORED, connect_args={"timeout": LOCK_TIMEOUT_S})
        event.listen(self.engine, "connect", _make_durable)
        self._write_thread = ThreadPoolExecutor(1, "writing")
        self._read_thread = ThreadPoolExecutor(1, "reading")
        self._write_lock = asyncio.Lock()
        """Held by the transaction that writes: SQLite allows one, and would refuse the second."""

    def check_files(self) -> None:
        """`DatabaseRemoved` where a file was removed or replaced: writes would go to the old."""
        for path, known in self._inodes.items():
            try:
                found = os.stat(path)
                inode = found.st_dev, found.st_ino
            except FileNotFoundError:
                inode = None
            if known not in (None, inode):
                raise DatabaseRemoved(f"{path} was removed or replaced; restart the server")
            self._inodes[path] = inode

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Run a transaction in the write thread."""

        def transaction() -> T:
            with self.engine.begin() as connection:
                return work(connection, *args)

        async with self._write_lock:
            with self.using("writing"):
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._write_thread, transaction)

    async def read(self, query: Select[Any]) -> Sequence[Any]:
        """The rows that a query finds."""

        def rows() -> Sequence[Any]:
            with self.engine.connect() as connection:
                return connection.execute(query).all()

        with self.using("reading"):
            return await asyncio.get_running_loop().run_in_executor(self._read_thread, rows)

    def check_disk_space(self) -> None:
        """`DatabaseError` where little is free: the write of `check` may fit where a pick fails."""
        try:
            free = shutil.disk_usage(self._folder).free
        except OSError as error:
            raise DatabaseError(str(error)) from error
        if free < SPARE_BYTES:
            raise DatabaseError(f"the disk is full; {SPARE_BYTES >> 10} KiB must be free")

    async def close(self) -> None:
        """Close the file."""
        self._write_thread.shutdown()
        self._read_thread.shutdown()
        self.engine.dispose()


def _make_durable(connection: Any, _: Any) -> None:
    """Make a commit flush to disk before it returns; WAL, so that readers do not block."""
    connection.execute("PRAGMA journal_mode=WAL").close()
    connection.execute("PRAGMA synchronous=FULL").close()
