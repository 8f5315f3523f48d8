"""The database interface, and its SQLite backend."""

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from sqlalchemy import Select, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import (
    DBAPIError,
    IntegrityError,
    OperationalError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout

T = TypeVar("T")
LOCK_TIMEOUT_S: Final = 5
"""Seconds for which a file that another program has locked is waited for."""
SPARE_BYTES: Final = 1 << 18
"""Less room than this on a disk and some writes fail, while small ones may still fit."""
DATABASE_FAILURES: Final = (DBAPIError, PoolTimeout, OSError)
"""How a database shows that it does not answer, or takes nothing."""


class DatabaseError(Exception):
    """The database does not answer, or takes nothing, and why; nothing was written."""


class Database:
    """Where matches are kept. What is run there is one transaction, as a whole or not at all."""

    shared = False
    """Whether other processes write here, too."""

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        """Do something with a connection, within a transaction that is on disk afterwards.

        `DatabaseError` where that cannot be; `IntegrityError` where it does not fit.
        """
        raise NotImplementedError

    async def run_short(self, work: Callable[..., T], *given: Any) -> T:
        """The same for what takes well under a millisecond, the flush to disk not counted."""
        return await self.run(work, *given)

    async def read(self, query: Select[Any]) -> Sequence[Any]:
        """The rows that a query finds."""
        raise NotImplementedError

    def check_room(self) -> None:
        """`DatabaseError` where it is known that there is no room for more."""

    async def close(self) -> None:
        """Let go of it."""
        raise NotImplementedError


class SqliteDatabase(Database):
    """A file of SQLite: one writes at a time, and those who read do not wait.

    Only the flush to disk of a short transaction is handed to a thread. Were all steps handed over,
    threads would wait for the interpreter at each row, and that was most of the delay. No lock is
    waited for here, though: where another program has locked the file, a thread waits.
    """

    def __init__(self, url: URL) -> None:
        self._folder = Path(url.database or ".").parent
        self.engine, self._no_wait_engine = (
            create_engine(
                url,
                json_serializer=as_json,
                json_deserializer=from_json,
                connect_args={"timeout": timeout_s},
            )
            for timeout_s in (LOCK_TIMEOUT_S, 0)
        )
        for engine in (self.engine, self._no_wait_engine):
            event.listen(engine, "connect", _make_durable)
        self._writing = ThreadPoolExecutor(1, "writing")
        self._reading = ThreadPoolExecutor(1, "reading")
        self._turn = asyncio.Lock()

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        """Do something within a transaction, all of it in a thread."""

        def transaction() -> T:
            with self.engine.begin() as connection:
                return work(connection, *given)

        async with self._turn:
            with told():
                return await self._in(self._writing, transaction)

    async def run_short(self, work: Callable[..., T], *given: Any) -> T:
        """Do something within a transaction here and now; a thread sees it on disk."""
        async with self._turn:
            with told(), self._no_wait_engine.connect() as connection:
                try:
                    done = work(connection, *given)
                except OperationalError as error:
                    if not _is_locked(error):
                        raise
                else:
                    await self._in(self._writing, connection.commit)
                    return done
        return await self.run(work, *given)

    async def read(self, query: Select[Any]) -> Sequence[Any]:
        """The rows that a query finds."""

        def rows() -> Sequence[Any]:
            with self.engine.connect() as connection:
                return connection.execute(query).all()

        with told():
            return await self._in(self._reading, rows)

    def check_room(self) -> None:
        """A full disk: a write as small as that of a check may still fit, and a pick not."""
        with told():
            left = shutil.disk_usage(self._folder).free
        if left < SPARE_BYTES:
            raise DatabaseError("the disk is full")

    async def _in(self, threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(threads, work)

    async def close(self) -> None:
        """Let go of the file."""
        self._writing.shutdown()
        self._reading.shutdown()
        self.engine.dispose()
        self._no_wait_engine.dispose()


@contextmanager
def told(away: tuple[type[Exception], ...] = DATABASE_FAILURES) -> Iterator[None]:
    """Turn whatever a database and its driver say into `DatabaseError`, in one line."""
    try:
        yield
    except IntegrityError:  # the database is well: what was to be written does not fit
        raise
    except away as error:
        reason = str(getattr(error, "orig", None) or error) or type(error).__name__
        raise DatabaseError(reason.splitlines()[0]) from error


def _is_locked(error: OperationalError) -> bool:
    """Whether a file of SQLite is just being written by another program."""
    return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def as_json(data: Any) -> str:
    """Data as a database keeps it."""
    return msgspec.json.encode(data).decode()


def from_json(text: str) -> Any:
    """Data that a database has kept."""
    return msgspec.json.decode(text)


def _make_durable(connection: Any, _: Any) -> None:
    """A commit is on disk before it returns, and readers do not wait for writers."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()
