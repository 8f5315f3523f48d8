"""Opens a database by URL (SQLite or PostgreSQL), locks the file and creates the tables."""

import os
import time
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path

from sqlalchemy import Connection, inspect, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from evenodds.server.storage.database import Database, DatabaseError
from evenodds.server.storage.schema import ALEMBIC_VERSION, HEARTBEAT, METADATA, REVISION
from evenodds.server.storage.sqlite import SqliteDatabase
from evenodds.system import EvenOddsError
from evenodds.system.files import (
    DATABASE,
    data_folder,
    make_private,
    make_private_folder,
    open_private,
    private_folder,
)
from evenodds.system.locks import Lock, LockHeld


class NoDatabase(EvenOddsError, ValueError):
    """A database that cannot be used, and why."""


def default_url() -> str:
    """The URL of a SQLite file in the data folder."""
    return f"sqlite:///{data_folder() / DATABASE}"


async def connect(url: str) -> Database:
    """Open a database, new ones with tables; `NoDatabase` in one line where that fails."""
    database = open_database(url)
    try:
        database.check_disk_space()  # or the first write, while the server starts, may fail
        await database.run(_check_damage)
        await database.run(_create_tables)
    except (DatabaseError, OverflowError, TypeError) as error:
        # A port above 65535 overflows; an option that the driver lacks (?sslmode=) is a TypeError.
        await database.close()
        raise NoDatabase(f"the database cannot be used: {error}") from None
    except NoDatabase:
        await database.close()
        raise
    return database


def _check_damage(connection: Connection) -> None:
    """`NoDatabase` for a SQLite file whose pages are damaged; PostgreSQL looks after its own."""
    if connection.dialect.name == "sqlite":
        found = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar())
        if found != "ok":
            reason = found.splitlines()[-1]
            raise NoDatabase(f"the database is damaged; restore a back-up of it: {reason}")


def _create_tables(connection: Connection) -> None:
    """Create the tables where there are none; `NoDatabase` where they are of another version."""
    if connection.dialect.name == "postgresql":
        # Processes that start at once take turns here; the first creates them.
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(5176)")
    if inspect(connection).has_table(ALEMBIC_VERSION.name):
        if connection.execute(select(ALEMBIC_VERSION.c.version_num)).scalar() != REVISION:
            made = "the database was made by another version of Even Odds"
            raise NoDatabase(f"{made}; it is left alone")
        return
    if connection.dialect.name == "sqlite":  # its driver begins no transaction before CREATE TABLE
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    METADATA.create_all(connection, checkfirst=False)
    connection.execute(HEARTBEAT.insert().values(at=time.time()))
    connection.execute(ALEMBIC_VERSION.insert().values(version_num=REVISION))


def lock_sqlite_file(url: str) -> AbstractContextManager[object]:
    """A lock that keeps a SQLite file to one server: others would get no notifications."""
    path = _prepare_file(_parse(url))
    try:
        return Lock(Path(f"{path}.lock")) if path else nullcontext()
    except LockHeld:
        several = "several servers share a PostgreSQL"
        raise NoDatabase(f"another server uses {path}; {several}") from None
    except OSError as error:
        raise NoDatabase(f"the database cannot be used: {error.strerror}") from None


def open_database(url: str) -> Database:
    """A database that `connect` has prepared before; it is reached with its first transaction."""
    parsed = _parse(url)
    if parsed.get_backend_name() == "sqlite":
        _prepare_file(parsed)
        return SqliteDatabase(parsed.set(drivername="sqlite"))
    # Its driver takes a while to load, and few servers need it.
    from evenodds.server.storage.postgresql import PostgresqlDatabase

    return PostgresqlDatabase(parsed.set(drivername="postgresql+asyncpg"))


def _parse(url: str) -> URL:
    with suppress(ArgumentError, NoSuchModuleError, ValueError):  # as a port that is no number
        parsed = make_url(url)
        if parsed.get_backend_name() in ("sqlite", "postgresql"):
            return parsed
    allowed = "allowed: sqlite:///FILE or postgresql://USER@HOST/NAME"
    raise NoDatabase(f"this is not a database URL; {allowed}")


def _prepare_file(url: URL) -> Path | None:
    """Create the file of a SQLite URL, private to its owner; None for any other URL."""
    if url.get_backend_name() != "sqlite" or url.database in (None, "", ":memory:"):
        return None
    path = Path(str(url.database))
    try:
        if path.parent == data_folder():
            private_folder()
        make_private_folder(path.parent)
        os.close(open_private(path))
        for suffix in ("-wal", "-shm", "-journal"):
            make_private(Path(f"{path}{suffix}"))  # new ones get the mode of the file from SQLite
    except OSError as error:
        raise NoDatabase(f"the database cannot be used: {error.strerror}") from None
    return path
