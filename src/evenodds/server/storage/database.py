"""What the backends share: the interface of a database, its errors, and the log of outages."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Literal, TypeVar

from sqlalchemy import Select, select
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from evenodds.server.logs import LOG
from evenodds.server.storage.ledger_entries import Event, LedgerEntry, Secret
from evenodds.server.storage.schema import SECRETS

T = TypeVar("T")
Use = Literal["reading", "writing", "listening"]
"""What a database is asked for: a full disk can be read, but not written."""
SELECT_SECRETS: Final = select(*(SECRETS.c[name] for name in Secret._fields))
DATABASE_FAILURES: Final = (DBAPIError, PoolTimeout, OSError)
"""Errors that mean: the database is unavailable, or refuses to write."""
AS_STORED: Final[dict[str, Any]] = {"json_serializer": str, "json_deserializer": str}
"""Options of an engine: JSON columns hold what `Event.row` has encoded."""


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
    append: Callable[[Sequence[LedgerEntry]], Awaitable[dict[str, list[Event]]]]
    """Of a shared database only: a SQLite file has one writer, and no round trips to spare."""
    failures: tuple[type[Exception], ...] = DATABASE_FAILURES
    """Errors that become `DatabaseError`."""

    def __init__(self) -> None:
        self.failing: set[Use] = set()
        """The uses whose last attempt has failed."""

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

    def check_disk_space(self) -> None:
        """`DatabaseError` where the disk is known to be full."""

    def check_files(self) -> None:
        """`DatabaseRemoved` where files were removed meanwhile: what is written there is lost."""

    async def close(self) -> None:
        """Close all connections."""
        raise NotImplementedError

    @contextmanager
    def using(self, use: Use) -> Iterator[None]:
        """Raise errors of the database and its driver as `DatabaseError`, and log outages."""
        try:
            self.check_files()
            yield
            self.check_files()
        except IntegrityError:  # a constraint is violated, and the database works
            raise
        except DatabaseError as error:
            self.failed(use, error)
            raise
        except self.failures as error:
            reason = str(getattr(error, "orig", None) or error) or type(error).__name__
            failure = DatabaseError(reason.splitlines()[0])
            self.failed(use, failure)
            raise failure from error
        self.succeeded(use)

    def failed(self, use: Use, error: Exception) -> None:
        """A use has failed; the first failure is logged."""
        if use not in self.failing:
            self.failing.add(use)
            details = {"use": use, "reason": str(error) or type(error).__name__}
            LOG.error("the database does not answer", extra=details)

    def succeeded(self, use: Use) -> None:
        """A use has succeeded; the first success after a failure is logged."""
        if use in self.failing:
            self.failing.discard(use)
            LOG.warning("the database answers again", extra={"use": use})
