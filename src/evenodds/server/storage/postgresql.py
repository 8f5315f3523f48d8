"""The PostgreSQL backend, for any number of server processes."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeVar

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import Select, event
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from evenodds.server.storage import database
from evenodds.server.storage.append import append, secrets_of
from evenodds.server.storage.database import Database, as_stored
from evenodds.server.storage.ledger_entries import Event, LedgerEntry, WriteConflict

T = TypeVar("T")
CONNECT_TIMEOUT_S: Final = 10
"""Timeout for a new connection, and for a free one in the pool."""
COMMAND_TIMEOUT_S: Final = 30
"""Timeout of a statement."""
KEPT_TIMEOUT_S: Final = 7
"""Timeout of a statement of each pick, for which all picks behind it wait: longer than a stopped
process keeps its locks, and with what closing takes, below ten seconds."""
SESSION_SETTINGS: Final = {
    "idle_in_transaction_session_timeout": "5000",
    "plan_cache_mode": "force_generic_plan",
}
"""A process that is stopped within a transaction loses its locks after 5 seconds, so that others
go on. Statements are planned once: their arguments do not change the plan."""
CONNECTION_LOST: Final = (
    OSError,
    asyncpg.InterfaceError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InternalClientError,  # the end of a connection comes in while it is used
    asyncpg.ReadOnlySQLTransactionError,
)
"""Errors after which a write is repeated on a new connection."""
USELESS_SESSION_CODES: Final = frozenset({"25006", "57P01", "57P02", "57P03", "57P05"})
"""SQLSTATEs after which no pooled session is used again: read-only, or ended by the server. A
session keeps the setting that was the default when it began, also when writing is allowed again."""
REFUSED: Final = (
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.DataError,
)
"""Errors of one entry, for which the others are written without it."""
POSTGRESQL_FAILURES: Final = (
    *database.DATABASE_FAILURES,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)
"""Errors that mean: PostgreSQL is unavailable, or refuses to write. While connecting, SQLAlchemy
does not wrap those of the driver."""


class KeptConnection:
    """A connection of the driver for statements of each pick: SQLAlchemy's costs more than they.

    One that fails or hangs is closed, and the next statement has a new one.
    """

    def __init__(self, engine: AsyncEngine, timeout_s: float = KEPT_TIMEOUT_S) -> None:
        self._engine = engine
        self.timeout_s = timeout_s
        self._connection: AsyncConnection | None = None
        self._driver: Any = None
        self.server_pid: int | None = None
        """The process of PostgreSQL at its other end."""

    async def run(self, work: Callable[[Any, Any], Awaitable[T]], argument: Any) -> T:
        """Run work on the driver's connection."""
        try:
            if self._connection is None:
                self._connection = await self._engine.connect()
                self._driver = (await self._connection.get_raw_connection()).driver_connection
                self.server_pid = self._driver.get_server_pid()
            async with asyncio.timeout(self.timeout_s):
                return await work(self._driver, argument)
        except BaseException as error:
            if self._connection is not None:
                failed, self._connection, self.server_pid = self._connection, None, None
                await failed.invalidate()
                await failed.close()
            if getattr(error, "sqlstate", None) in USELESS_SESSION_CODES:
                # Those in use come back to the old pool, which nobody closes any more.
                event.listen(self._engine.sync_engine.pool, "checkin", _close_session)
                await self._engine.dispose()
            raise

    async def close(self) -> None:
        """Give the connection back."""
        if self._connection is not None:
            await self._connection.close()


class PostgresqlDatabase(Database):
    """A PostgreSQL database, shared by any number of processes."""

    shared = True
    batch_interval_s = 0.005  # each batch wakes every process
    failures = POSTGRESQL_FAILURES

    def __init__(self, url: URL) -> None:
        super().__init__()
        self.engine = create_async_engine(
            url,
            json_serializer=as_stored,
            json_deserializer=as_stored,
            pool_timeout=CONNECT_TIMEOUT_S,
            connect_args={
                "timeout": CONNECT_TIMEOUT_S,
                "command_timeout": COMMAND_TIMEOUT_S,
                "server_settings": SESSION_SETTINGS,
            },
        )
        event.listen(self.engine.sync_engine, "handle_error", _discard_useless_sessions)
        self._reading = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        """A query alone: BEGIN and ROLLBACK around it would be two more round trips."""
        self._appending = KeptConnection(self._reading)
        self._secrets_reading = KeptConnection(self._reading)

    def is_own_append(self, server_pid: int) -> bool:
        """Whether a notification comes from `append` of this process, which applies the events."""
        return server_pid == self._appending.server_pid

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Run a transaction."""

        async def transaction() -> T:
            async with self.engine.begin() as connection:
                return await connection.run_sync(work, *args)

        with self.using("writing"):
            return await self._retry_once(transaction)

    async def read(self, query: Select[Any]) -> Sequence[Any]:
        """The rows that a query finds."""

        async def rows() -> Sequence[Any]:
            async with self._reading.connect() as connection:
                found: Sequence[Any] = (await connection.execute(query)).all()
                return found

        with self.using("reading"):
            return await self._retry_once(rows)

    async def secrets(self, matches: Sequence[str]) -> Sequence[Any]:
        """The rows of secrets of some matches."""
        with self.using("reading"):
            try:
                return await self._secrets_reading.run(secrets_of, matches)
            except CONNECTION_LOST:
                return await self._secrets_reading.run(secrets_of, matches)

    async def append(self, entries: Sequence[LedgerEntry]) -> dict[str, list[Event]]:
        """Write plain entries of different matches in one statement."""
        with self.using("writing"):
            try:
                return await self._append(entries)
            except REFUSED as error:
                raise WriteConflict from error
            except CONNECTION_LOST:
                conflicts = await self._append(entries)
        # The lost connection may have committed: then what is in the way is what we have written.
        own = {entry.match: entry.events[0] for entry in entries}
        return {match: events for match, events in conflicts.items() if own[match] not in events}

    async def _append(self, entries: Sequence[LedgerEntry]) -> dict[str, list[Event]]:
        return await self._appending.run(append, entries)

    async def _retry_once(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run work; again if its pooled connection was dead, as after a restart of PostgreSQL."""
        try:
            return await work()
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
        return await work()

    async def close(self) -> None:
        """Close all connections."""
        await self._appending.close()
        await self._secrets_reading.close()
        await self.engine.dispose()


def _close_session(_: object, session: ConnectionPoolEntry) -> None:
    session.invalidate()


def _discard_useless_sessions(context: ExceptionContext) -> None:
    """Have SQLAlchemy empty the pool, and `_retry_once` use a new session."""
    if getattr(context.original_exception, "sqlstate", None) in USELESS_SESSION_CODES:
        context.is_disconnect = True
