"""The PostgreSQL backend, for any number of server processes."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeVar

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import Select
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine

from evenodds.server.storage import database
from evenodds.server.storage.database import Database, as_json, from_json, translate_errors

T = TypeVar("T")
CONNECT_TIMEOUT_S: Final = 10
"""Timeout for a new connection, and for a free one in the pool."""
COMMAND_TIMEOUT_S: Final = 30
"""Timeout of a statement."""
POSTGRESQL_FAILURES: Final = (
    *database.DATABASE_FAILURES,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
)
"""Errors that mean: PostgreSQL is unavailable, or refuses to write. While connecting, SQLAlchemy
does not wrap those of the driver."""


class PostgresqlDatabase(Database):
    """A PostgreSQL database, shared by any number of processes."""

    shared = True

    def __init__(self, url: URL) -> None:
        self.engine = create_async_engine(
            url,
            json_serializer=as_json,
            json_deserializer=from_json,
            pool_timeout=CONNECT_TIMEOUT_S,
            connect_args={"timeout": CONNECT_TIMEOUT_S, "command_timeout": COMMAND_TIMEOUT_S},
        )

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Run a transaction."""

        async def transaction() -> T:
            async with self.engine.begin() as connection:
                return await connection.run_sync(work, *args)

        return await self._retry_once(transaction)

    async def read(self, query: Select[Any]) -> Sequence[Any]:
        """The rows that a query finds."""

        async def rows() -> Sequence[Any]:
            async with self.engine.connect() as connection:
                found: Sequence[Any] = (await connection.execute(query)).all()
                return found

        return await self._retry_once(rows)

    async def _retry_once(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run work; again if its pooled connection was dead, as after a restart of PostgreSQL."""
        with translate_errors(POSTGRESQL_FAILURES):
            try:
                return await work()
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
            return await work()

    async def close(self) -> None:
        """Close all connections."""
        await self.engine.dispose()
