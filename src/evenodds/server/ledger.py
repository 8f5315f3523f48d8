"""The ledger: every event of every match, on disk before anyone hears of it."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Insert, delete, insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from evenodds.server.schema import EVENTS, MATCHES, SEATS, SECRETS

BATCH: Final = 200
"""Entries that are written in one transaction at the most."""


class Event(msgspec.Struct, frozen=True):
    """Something that has happened in a match; nothing in it is secret."""

    seq: int
    at: float
    kind: str
    data: dict[str, Any]


class Seat(NamedTuple):
    """What a token or an invitation is for."""

    match: str
    seat: int
    invitation: bool
    spent: bool


class Conflict(Exception):
    """Somebody else has written first; what was decided must be decided anew."""


class Unwritable(Exception):
    """The database does not take it, and why; nothing was written."""


class Entry(NamedTuple):
    """What is written as a whole or not at all."""

    match: str
    events: Sequence[Event] = ()
    opened: dict[str, Any] | None = None
    """A row of matches, for a match that is opened."""
    status: str | None = None
    """A new status of the match."""
    seats: Sequence[dict[str, Any]] = ()
    spent: Sequence[str] = ()
    """Hashes of invitations that are spent by this, and must not be spent yet."""
    secret: dict[str, Any] | None = None
    completed: int | None = None
    """A round whose secrets are no longer needed."""


class Ledger:
    """Reads matches, and writes entries in batches: one flush to disk for all that wait."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self._waiting: asyncio.Queue[tuple[Entry, asyncio.Future[None]]] = asyncio.Queue()
        self._writer: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to write."""
        self._writer = asyncio.create_task(self._write_for_ever())

    async def stop(self) -> None:
        """Write what waits, and close the database."""
        if self._writer is not None:
            await self._waiting.join()
            self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)
        await self.engine.dispose()

    async def write(self, entry: Entry) -> None:
        """Return when an entry is on disk; `Conflict` or `Unwritable` when it is not."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait((entry, done))
        await done

    async def events(self, match: str, after: int = 0) -> list[Event]:
        """What has happened in a match since an event."""
        query = (
            select(EVENTS.c.seq, EVENTS.c.at, EVENTS.c.kind, EVENTS.c.data)
            .where(EVENTS.c.match == match, EVENTS.c.seq > after)
            .order_by(EVENTS.c.seq)
        )
        async with self.engine.connect() as connection:
            return [Event(*row) for row in await connection.execute(query)]

    async def seat(self, hash: str) -> Seat | None:
        """What a hash of a token or an invitation is for."""
        columns = (SEATS.c.match, SEATS.c.seat, SEATS.c.invitation, SEATS.c.spent)
        query = select(*columns).where(SEATS.c.hash == hash)
        async with self.engine.connect() as connection:
            row = (await connection.execute(query)).first()
        return Seat(*row) if row else None

    async def secrets(self, match: str, round: int) -> dict[int, int]:
        """The picks of a round that is not complete, by seat: for completing it alone."""
        query = select(SECRETS.c.seat, SECRETS.c.number).where(
            SECRETS.c.match == match, SECRETS.c.round == round
        )
        async with self.engine.connect() as connection:
            rows = (await connection.execute(query)).tuples()
            return dict(rows.all())

    async def listed(self, most: int) -> list[str]:
        """The listed matches that are open, the last touched first."""
        query = (
            select(MATCHES.c.id)
            .where(MATCHES.c.listed, MATCHES.c.status == "open")
            .order_by(MATCHES.c.touched.desc())
            .limit(most)
        )
        async with self.engine.connect() as connection:
            return list((await connection.execute(query)).scalars())

    async def _write_for_ever(self) -> None:
        while True:
            batch = [await self._waiting.get()]
            while not self._waiting.empty() and len(batch) < BATCH:
                batch.append(self._waiting.get_nowait())
            await self._write_batch(batch)
            for _ in batch:
                self._waiting.task_done()

    async def _write_batch(self, batch: list[tuple[Entry, asyncio.Future[None]]]) -> None:
        """All in one transaction; if one of them does not fit, each in its own."""
        problem = await self._try([entry for entry, _ in batch])
        for entry, done in batch:
            own = problem
            if problem is not None and len(batch) > 1:
                own = await self._try([entry])
            if done.cancelled():
                continue
            if own is None:
                done.set_result(None)
            else:
                done.set_exception(own)

    async def _try(self, entries: list[Entry]) -> Exception | None:
        try:
            async with self.engine.begin() as connection:
                await _write(connection, entries)
        except (Conflict, IntegrityError):
            return Conflict()
        except (DBAPIError, OSError) as error:
            return Unwritable(str(getattr(error, "orig", None) or error).splitlines()[0])
        return None


async def _write(connection: AsyncConnection, entries: list[Entry]) -> None:
    rows: list[tuple[Insert, list[dict[str, Any]]]] = [
        (insert(MATCHES), [entry.opened for entry in entries if entry.opened]),
        (insert(EVENTS), [_row(entry.match, event) for entry in entries for event in entry.events]),
        (insert(SEATS), [row for entry in entries for row in entry.seats]),
        (insert(SECRETS), [entry.secret for entry in entries if entry.secret]),
    ]
    for statement, values in rows:
        if values:
            await connection.execute(statement, values)
    for entry in entries:
        await _amend(connection, entry)


async def _amend(connection: AsyncConnection, entry: Entry) -> None:
    """Change what is there already."""
    for hash in entry.spent:
        spend = update(SEATS).where(SEATS.c.hash == hash, SEATS.c.spent.is_(False))
        if (await connection.execute(spend.values(spent=True))).rowcount != 1:
            raise Conflict
    if entry.completed is not None:
        used = (SECRETS.c.match == entry.match) & (SECRETS.c.round <= entry.completed)
        await connection.execute(delete(SECRETS).where(used))
    if entry.status is not None:
        change = update(MATCHES).where(MATCHES.c.id == entry.match)
        await connection.execute(change.values(status=entry.status, touched=entry.events[-1].at))


def _row(match: str, event: Event) -> dict[str, Any]:
    return {
        "match": match,
        "seq": event.seq,
        "at": event.at,
        "kind": event.kind,
        "data": event.data,
    }
