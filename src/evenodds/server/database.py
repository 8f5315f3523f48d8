"""The database of the server: SQLite unless a URL says otherwise, brought up to date on start."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Select, create_engine, event, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.ext.asyncio import create_async_engine

from evenodds.home import home
from evenodds.server.migrate import NewerVersion, migrate

try:
    import fcntl
except ImportError:  # not every system locks files like this
    fcntl = None  # type: ignore[assignment]

T = TypeVar("T")


class NoDatabase(ValueError):
    """A database that cannot be used, and why."""


def usual_url() -> str:
    """A file in the data folder."""
    return f"sqlite:///{home() / 'server.sqlite'}"


class Database:
    """Where matches are kept. What is run there is one transaction, as a whole or not at all."""

    shared = False
    """Whether other processes write here, too."""

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        """Do something with a connection, within a transaction that is on disk afterwards."""
        raise NotImplementedError

    async def run_short(self, work: Callable[..., T], *given: Any) -> T:
        """The same for what takes well under a millisecond, the flush to disk not counted."""
        return await self.run(work, *given)

    async def read(self, query: Select[Any]) -> Sequence[Any]:
        """The rows that a query finds."""
        raise NotImplementedError

    async def close(self) -> None:
        """Let go of it."""
        raise NotImplementedError

    async def is_reachable(self) -> bool:
        """Whether the database answers."""
        try:
            await self.read(select(1))
        except (OSError, DBAPIError):
            return False
        return True


class OneFile(Database):
    """A file of SQLite: one writes at a time, and those who read do not wait.

    Only the flush to disk of a short transaction is handed to a thread. Were all steps handed over,
    threads would wait for the interpreter at each row, and that was most of the delay.
    """

    def __init__(self, url: URL) -> None:
        self.engine = create_engine(url, json_serializer=_as_json, json_deserializer=_from_json)
        event.listen(self.engine, "connect", _make_durable)
        self._writing = ThreadPoolExecutor(1, "writing")
        self._reading = ThreadPoolExecutor(1, "reading")
        self._turn = asyncio.Lock()

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        """Do something within a transaction, all of it in a thread."""

        def transaction() -> T:
            with self.engine.begin() as connection:
                return work(connection, *given)

        async with self._turn:
            return await self._in(self._writing, transaction)

    async def run_short(self, work: Callable[..., T], *given: Any) -> T:
        """Do something within a transaction here and now; a thread sees it on disk."""
        async with self._turn:
            with self.engine.connect() as connection:
                done = work(connection, *given)
                await self._in(self._writing, connection.commit)
                return done

    async def read(self, query: Select[Any]) -> Sequence[Any]:
        """The rows that a query finds."""

        def rows() -> Sequence[Any]:
            with self.engine.connect() as connection:
                return connection.execute(query).all()

        return await self._in(self._reading, rows)

    async def _in(self, threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(threads, work)

    async def close(self) -> None:
        """Let go of the file."""
        self._writing.shutdown()
        self._reading.shutdown()
        self.engine.dispose()


class Shared(Database):
    """A PostgreSQL, for any number of processes."""

    shared = True

    def __init__(self, url: URL) -> None:
        self.engine = create_async_engine(
            url, json_serializer=_as_json, json_deserializer=_from_json
        )

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        """Do something within a transaction."""
        async with self.engine.begin() as connection:
            return await connection.run_sync(work, *given)

    async def read(self, query: Select[Any]) -> Sequence[Any]:
        """The rows that a query finds."""
        try:
            return await self._read(query)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
            return await self._read(query)  # the database went away and may be back

    async def _read(self, query: Select[Any]) -> Sequence[Any]:
        async with self.engine.connect() as connection:
            rows: Sequence[Any] = (await connection.execute(query)).all()
            return rows

    async def close(self) -> None:
        """Let go of all connections."""
        await self.engine.dispose()


async def connect(url: str) -> Database:
    """A database that is up to date; `NoDatabase` in one line where there is none."""
    database = _database(url)
    try:
        await database.run(migrate)
    except (OSError, DBAPIError) as error:
        await database.close()
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise NoDatabase(f"the database cannot be used: {reason}") from None
    except NewerVersion as error:
        await database.close()
        raise NoDatabase(str(error)) from None
    return database


@contextmanager
def held(url: str) -> Iterator[None]:
    """A file of SQLite for one process alone, which cannot be woken by another."""
    path = _file_of(url)
    if path is None or fcntl is None:
        yield
        return
    with ExitStack() as stack:
        try:
            lock = stack.enter_context(open(f"{path}.lock", "w"))
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            several = "several servers share a PostgreSQL"
            raise NoDatabase(f"another server uses {path}; {several}") from None
        except OSError as error:
            raise NoDatabase(f"the database cannot be used: {error.strerror}") from None
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


def _database(url: str) -> Database:
    try:
        _file_of(url)
        parts = make_url(url)
        if parts.get_backend_name() == "sqlite":
            return OneFile(parts.set(drivername="sqlite"))
        if parts.get_backend_name() == "postgresql":
            return Shared(parts.set(drivername="postgresql+asyncpg"))
    except (ArgumentError, NoSuchModuleError):
        pass
    allowed = "allowed: sqlite:///FILE or postgresql://USER@HOST/NAME"
    raise NoDatabase(f"this is no database URL; {allowed}")


def _as_json(data: Any) -> str:
    return msgspec.json.encode(data).decode()


def _from_json(text: str) -> Any:
    return msgspec.json.decode(text)


def _make_durable(connection: Any, _: Any) -> None:
    """A commit is on disk before it returns, and readers do not wait for writers."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA busy_timeout=10000")
    cursor.close()
