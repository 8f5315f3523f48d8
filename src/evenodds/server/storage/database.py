"""The database interface, and its SQLite backend."""

import asyncio
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from sqlalchemy import Select, create_engine, event, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from evenodds.server.storage.availability import Availability, Use
from evenodds.server.storage.ledger_entries import Event, LedgerEntry, Secret
from evenodds.server.storage.schema import SECRETS

T = TypeVar("T")
SELECT_SECRETS: Final = select(*(SECRETS.c[name] for name in Secret._fields))
LOCK_TIMEOUT_S: Final = 5
"""Seconds to wait for a lock that another program holds on the file."""
SPARE_BYTES: Final = 1 << 18
"""Free bytes below which a pick may fail to be written, though a smaller write still fits."""
DATABASE_FAILURES: Final = (DBAPIError, PoolTimeout, OSError)
"""Errors that mean: the database is unavailable, or refuses to write."""


class DatabaseError(Exception):
    """The database is unavailable or refuses to write; nothing was written."""


class DatabaseRemoved(DatabaseError):
    """The files of the database were removed or replaced while the server ran."""


class Database:
    """The interface of a backend. Each call of `run` is one transaction."""

    shared = False
    """Whether other processes write here, too."""
    batch_interval_s = 0.0
    """Seconds between two batches of writes, so that more of them share a transaction. On a calm
    server nobody waits for that."""
    failures: tuple[type[Exception], ...] = DATABASE_FAILURES
    """Errors that become `DatabaseError`."""

    def __init__(self) -> None:
        self.availability = Availability()

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Run `work(connection, *args)` in a transaction that is on disk when this returns.

        `DatabaseError` where the database fails; `IntegrityError` for a violated constraint.
        """
        raise NotImplementedError

    async def read(self, query: Select[Any]) -> Sequence[Any]:
        """The rows that a query finds."""
        raise NotImplementedError

    async def secrets(self, matches: Sequence[str]) -> Sequence[Any]:
        """The rows of secrets of some matches."""
        return await self.read(SELECT_SECRETS.where(SECRETS.c.match.in_(matches)))

    async def append(self, entries: Sequence[LedgerEntry]) -> dict[str, list[Event]]:
        """Write plain entries of different matches in one statement.

        Returns the matches in which another process has written first, with its events;
        `WriteConflict` where an entry must be written alone. Only a shared database has this:
        a SQLite file has one writer, and no round trips to spare.
        """
        raise NotImplementedError

    def check_disk_space(self) -> None:
        """`DatabaseError` where the disk is known to be full."""

    async def close(self) -> None:
        """Close all connections."""
        raise NotImplementedError

    @contextmanager
    def using(self, use: Use) -> Iterator[None]:
        """Translate errors while the database is used, and log where an outage begins or ends."""
        try:
            with translate_errors(self.failures):
                yield
        except DatabaseError as error:
            self.availability.failed(use, error)
            raise
        self.availability.succeeded(use)


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
        self.engine = create_engine(
            url,
            json_serializer=as_stored,
            json_deserializer=as_stored,
            connect_args={"timeout": LOCK_TIMEOUT_S},
        )
        event.listen(self.engine, "connect", _make_durable)
        self._write_thread = ThreadPoolExecutor(1, "writing")
        self._read_thread = ThreadPoolExecutor(1, "reading")
        self._write_lock = asyncio.Lock()
        """Held by the transaction that writes: SQLite allows one, and would refuse the second."""

    @contextmanager
    def using(self, use: Use) -> Iterator[None]:
        """The same, and what is written to files that were removed meanwhile is an error."""
        with super().using(use):
            self._check_files()
            yield
            self._check_files()

    def _check_files(self) -> None:
        """`DatabaseError` where a file was removed or replaced: writes would go to the old one."""
        for path, known in self._inodes.items():
            try:
                found = os.stat(path)
            except FileNotFoundError:
                inode = None
            else:
                inode = found.st_dev, found.st_ino
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
                return await self._run_in(self._write_thread, transaction)

    async def read(self, query: Select[Any]) -> Sequence[Any]:
        """The rows that a query finds."""

        def rows() -> Sequence[Any]:
            with self.engine.connect() as connection:
                return connection.execute(query).all()

        with self.using("reading"):
            return await self._run_in(self._read_thread, rows)

    def check_disk_space(self) -> None:
        """`DatabaseError` where little is free: the write of `check` may fit where a pick fails."""
        with translate_errors():
            free = shutil.disk_usage(self._folder).free
        if free < SPARE_BYTES:
            raise DatabaseError(f"the disk is full; {SPARE_BYTES >> 10} KiB must be free")

    async def _run_in(self, threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(threads, work)

    async def close(self) -> None:
        """Close the file."""
        self._write_thread.shutdown()
        self._read_thread.shutdown()
        self.engine.dispose()


@contextmanager
def translate_errors(failures: tuple[type[Exception], ...] = DATABASE_FAILURES) -> Iterator[None]:
    """Raise errors of the database and its driver as `DatabaseError`, in one line."""
    try:
        yield
    except IntegrityError:  # a constraint is violated, and the database works
        raise
    except failures as error:
        reason = str(getattr(error, "orig", None) or error) or type(error).__name__
        raise DatabaseError(reason.splitlines()[0]) from error


def as_stored(text: str) -> str:
    """A JSON column, which holds what `Event.row` has encoded."""
    return text


def _make_durable(connection: Any, _: Any) -> None:
    """Make a commit flush to disk before it returns; WAL, so that readers do not block."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()
