"""The PostgreSQL backend, for any number of server processes."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeVar

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import Select
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine

from evenodds.server.storage import database
from evenodds.server.storage.database import Database, as_json, from_json, told

T = TypeVar("T")
CONNECT_TIMEOUT_S: Final = 10
"""Seconds within which PostgreSQL must take a connection, and one must be free."""
COMMAND_TIMEOUT_S: Final = 30
"""Seconds within which PostgreSQL must answer."""
POSTGRESQL_FAILURES: Final = (
    *database.DATABASE_FAILURES,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
)
"""How it shows that it does not answer, or takes nothing; on the way to a connection the driver's
own errors come as they are."""


class PostgresqlDatabase(Database):
    """A PostgreSQL, for any number of processes."""

    shared = True

    def __init__(self, url: URL) -> None:
        self.engine = create_async_engine(
            url,
            json_serializer=as_json,
            json_deserializer=from_json,
            pool_timeout=CONNECT_TIMEOUT_S,
            connect_args={"timeout": CONNECT_TIMEOUT_S, "command_timeout": COMMAND_TIMEOUT_S},
        )

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        """Do something within a transaction."""

        async def transaction() -> T:
            async with self.engine.begin() as connection:
                return await connection.run_sync(work, *given)

        return await self._answer(transaction)

    async def read(self, query: Select[Any]) -> Sequence[Any]:
        """The rows that a query finds."""

        async def rows() -> Sequence[Any]:
            async with self.engine.connect() as connection:
                found: Sequence[Any] = (await connection.execute(query)).all()
                return found

        return await self._answer(rows)

    async def _answer(self, work: Callable[[], Awaitable[T]]) -> T:
        """What comes of some work; once more where the database went away and may be back."""
        with told(POSTGRESQL_FAILURES):
            try:
                return await work()
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
            return await work()

    async def close(self) -> None:
        """Let go of all connections."""
        await self.engine.dispose()
