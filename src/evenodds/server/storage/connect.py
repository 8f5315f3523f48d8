"""Opens a database by URL (SQLite or PostgreSQL), locks the file and migrates it."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from evenodds.server.storage.database import Database, DatabaseError
from evenodds.server.storage.migrations import NewerVersion, migrate
from evenodds.server.storage.sqlite import SqliteDatabase
from evenodds.system.files import make_private, make_private_folder, open_private
from evenodds.system.locks import hold
from evenodds.system.paths import DATABASE, data_folder, private_folder


class NoDatabase(ValueError):
    """A database that cannot be used, and why."""


def default_url() -> str:
    """The URL of a SQLite file in the data folder."""
    return f"sqlite:///{data_folder() / DATABASE}"


async def connect(url: str) -> Database:
    """Open a database and migrate it; `NoDatabase` in one line where that fails."""
    database = open_database(url)
    try:
        database.check_disk_space()  # or the first write, while the server starts, may fail
        await database.run(_check_damage)
        await database.run(migrate)
    except (DatabaseError, OverflowError, TypeError) as error:
        # A port above 65535 overflows; an option that the driver lacks (?sslmode=) is a TypeError.
        await database.close()
        raise NoDatabase(f"the database cannot be used: {error}") from None
    except (NewerVersion, NoDatabase) as error:
        await database.close()
        raise NoDatabase(str(error)) from None
    return database


def _check_damage(connection: Connection) -> None:
    """`NoDatabase` for a SQLite file whose pages are damaged; PostgreSQL looks after its own."""
    if connection.dialect.name == "sqlite":
        found = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar())
        if found != "ok":
            reason = found.splitlines()[-1]
            raise NoDatabase(f"the database is damaged; restore a back-up of it: {reason}")


@contextmanager
def lock_sqlite_file(url: str) -> Iterator[None]:
    """Hold a lock that keeps a SQLite file to one server: others would get no notifications."""
    path = _prepare_file(url)
    if path is None:
        yield
        return
    with ExitStack() as stack:
        try:
            lock = stack.enter_context(open(open_private(Path(f"{path}.lock")), "wb"))
        except OSError as error:
            raise NoDatabase(f"the database cannot be used: {error.strerror}") from None
        try:
            hold(lock.fileno())
        except OSError:
            several = "several servers share a PostgreSQL"
            raise NoDatabase(f"another server uses {path}; {several}") from None
        yield


def _parse(url: str) -> URL:
    try:
        return make_url(url)
    except ValueError as error:  # a port that is no number
        raise ArgumentError(str(error)) from None


def _prepare_file(url: str) -> str | None:
    """Create the file of a SQLite URL, private to its owner; None for any other URL."""
    try:
        parsed = _parse(url)
        if parsed.get_backend_name() != "sqlite" or parsed.database in (None, "", ":memory:"):
            return None
        path = Path(str(parsed.database))
        if path.parent == data_folder():
            private_folder()
        make_private_folder(path.parent)
        os.close(open_private(path))
        for suffix in ("-wal", "-shm", "-journal"):
            make_private(Path(f"{path}{suffix}"))  # new ones get the mode of the file from SQLite
    except (ArgumentError, NoSuchModuleError):
        return None  # `connect` says what is wrong
    except OSError as error:
        raise NoDatabase(f"the database cannot be used: {error.strerror}") from None
    return parsed.database


def open_database(url: str) -> Database:
    """A database that `connect` has migrated before; it is reached with its first transaction."""
    try:
        _prepare_file(url)
        parsed = _parse(url)
        if parsed.get_backend_name() == "sqlite":
            return SqliteDatabase(parsed.set(drivername="sqlite"))
        if parsed.get_backend_name() == "postgresql":
            # Its driver takes a while to load, and few servers need it.
            from evenodds.server.storage.postgresql import PostgresqlDatabase

            return PostgresqlDatabase(parsed.set(drivername="postgresql+asyncpg"))
    except (ArgumentError, NoSuchModuleError):
        pass
    allowed = "allowed: sqlite:///FILE or postgresql://USER@HOST/NAME"
    raise NoDatabase(f"this is not a database URL; {allowed}")
