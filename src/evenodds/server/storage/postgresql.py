"""The PostgreSQL backend, for any number of server processes.

The statements of each pick are written for the driver, not for SQLAlchemy: most of what a server
does is these, and a transaction of several would keep its locks while a process that was stopped
does not commit it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from itertools import chain
from typing import Any, Final, TypeVar

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import Select, event
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from evenodds.server.storage.database import AS_STORED, DATABASE_FAILURES, Database
from evenodds.server.storage.ledger_entries import (
    CHANNEL,
    Event,
    LedgerEntry,
    Secret,
    WriteConflict,
    event_rows,
    notifications,
)
from evenodds.server.storage.schema import OVER

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
    *DATABASE_FAILURES,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)
"""Errors that mean: PostgreSQL is unavailable, or refuses to write. While connecting, SQLAlchemy
does not wrap those of the driver."""
APPEND: Final = f"""
WITH given AS (
  SELECT * FROM unnest($1::text[], $2::int[], $3::float8[], $4::text[], $5::text[],
    $6::int[], $7::text[]) AS given(match, seq, at, kind, data, part, message)
), taken AS (
  INSERT INTO events (match, seq, at, kind, data)
  SELECT match, seq, at, kind, data::json FROM given ORDER BY match
  ON CONFLICT DO NOTHING RETURNING match
), added AS (
  INSERT INTO secrets (match, round, seat, number, salt)
  SELECT * FROM unnest($8::text[], $9::int[], $10::int[], $11::int[], $12::text[])
    AS new(match, round, seat, number, salt) WHERE match IN (SELECT match FROM taken)
), deleted AS (
  DELETE FROM secrets USING unnest($13::text[], $14::int[]) AS used(match, until)
  WHERE secrets.match = used.match AND secrets.round <= used.until
    AND used.match IN (SELECT match FROM taken)
), changed AS (
  UPDATE matches SET status = new.status, touched = new.at,
    opener = CASE new.status WHEN '{OVER}' THEN '' ELSE opener END
  FROM unnest($15::text[], $16::text[], $17::float8[]) AS new(match, status, at)
  WHERE matches.id = new.match AND new.match IN (SELECT match FROM taken)
)
SELECT array_agg(match), pg_notify('{CHANNEL}', '[' || string_agg(message, ',') || ']')
FROM given JOIN taken USING (match) GROUP BY part
"""
"""Each match has one event here. One whose number is there already is left out, with all that
belongs to it: another process has written first. While that has not committed, this waits for it;
all processes insert in the order of ids, so that no two wait for each other."""
EVENTS_SINCE: Final = """
SELECT events.match, seq, at, kind, data::text
FROM events JOIN unnest($1::text[], $2::int[]) AS missed(match, first)
  ON events.match = missed.match AND events.seq >= missed.first
ORDER BY events.match, seq
"""
SECRETS_OF: Final = f"SELECT {', '.join(Secret._fields)} FROM secrets WHERE match = ANY($1::text[])"


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

    async def run(self, work: Callable[[Any], Awaitable[T]]) -> T:
        """Run work on the driver's connection."""
        try:
            if self._connection is None:
                self._connection = await self._engine.connect()
                self._driver = (await self._connection.get_raw_connection()).driver_connection
                self.server_pid = self._driver.get_server_pid()
            async with asyncio.timeout(self.timeout_s):
                return await work(self._driver)
        except BaseException as error:
            if self._connection is not None:
                failed, self._connection, self.server_pid = self._connection, None, None
                await failed.invalidate()
                await failed.close()
            if getattr(error, "sqlstate", None) in USELESS_SESSION_CODES:
                # Those in use come back to the old pool, which nobody closes any more.
                pool = self._engine.sync_engine.pool
                event.listen(pool, "checkin", lambda _, session: session.invalidate())
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
            **AS_STORED,
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
        kept = self._secrets_reading
        with self.using("reading"):
            return await self._retry_once(
                lambda: kept.run(lambda driver: driver.fetch(SECRETS_OF, matches)), CONNECTION_LOST
            )

    async def append(self, entries: Sequence[LedgerEntry]) -> dict[str, list[Event]]:
        """Write plain entries of different matches in one statement.

        Returns the matches in which another process has written first, with its events;
        `WriteConflict` where an entry must be written alone.
        """
        with self.using("writing"):
            try:
                conflicts = await self._retry_once(lambda: self._append(entries), CONNECTION_LOST)
            except REFUSED as error:
                raise WriteConflict from error
        # A lost connection may have committed: then what is in the way is what we have written.
        own = {entry.match: entry.event for entry in entries}
        return {match: events for match, events in conflicts.items() if own[match] not in events}

    async def _append(self, entries: Sequence[LedgerEntry]) -> dict[str, list[Event]]:
        """Append entries; for those that conflict, the events that are there."""
        written = event_rows(entries)
        rows = [(*row, *sent) for row, sent in zip(written, notifications(written), strict=True)]
        secrets = [entry.secret for entry in entries if entry.secret]
        used = [
            (entry.match, entry.completed_round)
            for entry in entries
            if entry.completed_round is not None
        ]
        changed = [(entry.match, entry.status, entry.event.at) for entry in entries if entry.status]
        given = (_columns(rows, 7), _columns(secrets, 5), _columns(used, 2), _columns(changed, 3))

        async def write(driver: Any) -> dict[str, list[Event]]:
            appended = await driver.fetch(APPEND, *chain.from_iterable(given))
            taken = {match for matches, _ in appended for match in matches}
            refused = [(match, seq) for match, seq, *_ in written if match not in taken]
            found: dict[str, list[Event]] = {match: [] for match, _ in refused}
            if refused:
                for match, *row in await driver.fetch(EVENTS_SINCE, *_columns(refused, 2)):
                    found[match].append(Event.of_row(*row))
            return found

        return await self._appending.run(write)

    async def _retry_once(
        self, work: Callable[[], Awaitable[T]], lost: tuple[type[Exception], ...] = ()
    ) -> T:
        """Run work; again if its connection was dead, as after a restart of PostgreSQL."""
        try:
            return await work()
        except lost:
            pass
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
        return await work()

    async def close(self) -> None:
        """Close all connections."""
        await self._appending.close()
        await self._secrets_reading.close()
        await self.engine.dispose()


def _discard_useless_sessions(context: ExceptionContext) -> None:
    """Have SQLAlchemy empty the pool, and `_retry_once` use a new session."""
    if getattr(context.original_exception, "sqlstate", None) in USELESS_SESSION_CODES:
        context.is_disconnect = True


def _columns(rows: Sequence[Sequence[Any]], count: int) -> Sequence[Sequence[Any]]:
    """Rows as columns, each of which is an array for the driver."""
    return list(zip(*rows, strict=True)) if rows else [()] * count
