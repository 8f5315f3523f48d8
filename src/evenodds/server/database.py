"""The database of the server: SQLite unless a URL says otherwise, brought up to date on start."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from evenodds.home import home

try:
    import fcntl
except ImportError:  # not every system locks files like this
    fcntl = None  # type: ignore[assignment]

DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}


class NoDatabase(ValueError):
    """A database that cannot be used, and why."""


def usual_url() -> str:
    """A file in the data folder."""
    return f"sqlite:///{home() / 'server.sqlite'}"


async def connect(url: str) -> AsyncEngine:
    """An engine on a database that is up to date; `NoDatabase` in one line where there is none."""
    _file_of(url)
    engine = _engine(url)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_migrate)
    except (OSError, DBAPIError) as error:
        await engine.dispose()
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise NoDatabase(f"the database cannot be used: {reason}") from None
    except NoDatabase:
        await engine.dispose()
        raise
    return engine


async def is_reachable(engine: AsyncEngine) -> bool:
    """Whether the database answers."""
    try:
        async with engine.connect() as connection:
            await connection.exec_driver_sql("SELECT 1")
    except (OSError, DBAPIError):
        return False
    return True


@contextmanager
def held(url: str) -> Iterator[None]:
    """A file of SQLite for one process alone, which cannot be woken by another."""
    path = _file_of(url)
    if path is None or fcntl is None:
        yield
        return
    with open(f"{path}.lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            several = "several servers share a PostgreSQL"
            raise NoDatabase(f"another server uses {path}; {several}") from None
        yield


def _file_of(url: str) -> str | None:
    """The file of a database, with its folder made; None where there is none."""
    try:
        parts = make_url(url)
        if parts.get_backend_name() != "sqlite" or parts.database in (None, "", ":memory:"):
            return None
        Path(str(parts.database)).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except (ArgumentError, NoSuchModuleError):
        return None  # `connect` says what is wrong
    except OSError as error:
        raise NoDatabase(f"the database cannot be used: {error.strerror}") from None
    return parts.database


def _engine(url: str) -> AsyncEngine:
    try:
        parts = make_url(url)
        kind = parts.get_backend_name()
        parts = parts.set(drivername=DRIVERS[kind])
        engine = create_async_engine(
            parts, json_serializer=_as_json, json_deserializer=msgspec.json.decode
        )
    except (ArgumentError, KeyError, NoSuchModuleError):
        allowed = "allowed: sqlite:///FILE or postgresql://USER@HOST/NAME"
        raise NoDatabase(f"this is no database URL; {allowed}") from None
    if kind == "sqlite":
        event.listen(engine.sync_engine, "connect", _make_durable)
    return engine


def _as_json(data: Any) -> str:
    return msgspec.json.encode(data).decode()


def _make_durable(connection: Any, _: Any) -> None:
    """A commit is on disk before it returns, and readers do not wait for writers."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA busy_timeout=10000")
    cursor.close()


def _migrate(connection: Connection) -> None:
    """Take every step that is missing; a database from a newer version is left alone."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    known = {script.revision for script in scripts.walk_revisions()}
    current = MigrationContext.configure(connection).get_current_revision()
    if current is not None and current not in known:
        raise NoDatabase("the database was made by a newer version of Even Odds; it is left alone")
    if current == scripts.get_current_head():
        return
    if connection.dialect.name == "postgresql":  # of several processes one migrates
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(5176)")
    command.upgrade(config, "head")
