"""The ledger: the event log of all matches, read by query and written in batches."""

import asyncio
import time
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, Select, exists, func, select, update
from sqlalchemy.exc import IntegrityError

from evenodds.server.jobs.supervised_tasks import SupervisedTasks
from evenodds.server.logs import LOG
from evenodds.server.storage.database import Database, DatabaseError
from evenodds.server.storage.events import (
    Event,
    LedgerEntry,
    SeatCredential,
    WriteConflict,
    notify,
    overtaken,
    write,
)
from evenodds.server.storage.schema import (
    ARCHIVED,
    EVENTS,
    HEARTBEAT,
    MATCHES,
    OPEN,
    SEATS,
    SECRETS,
)

MAX_BATCH_WRITES: Final = 200
"""Writings that share one transaction at the most."""
CHECK_TIMEOUT_S: Final = 5.0
"""Seconds within which a write goes through where all is well."""
UNCHANGED: Final = update(HEARTBEAT).values(at=HEARTBEAT.c.at)
"""Writes, and changes nothing."""
PLACES: Final = select(*(SEATS.c[name] for name in SeatCredential._fields))
Work = tuple[tuple[LedgerEntry, ...], asyncio.Future[None]]
"""Entries that are written together, and who waits for it."""


class Ledger:
    """Reads matches, and writes entries in batches: one flush to disk for all that wait."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.shared = database.shared
        """Whether other processes may write here, too."""
        self._waiting: asyncio.Queue[Work] = asyncio.Queue()
        self._tasks = SupervisedTasks()

    def start(self) -> None:
        """Begin to write."""
        self._tasks.keep(self._write_for_ever, "ledger")

    async def stop(self) -> None:
        """Write what waits, and close the database."""
        await self._waiting.join()
        await self._tasks.stop()
        await self.database.close()

    async def write(self, *entries: LedgerEntry) -> None:
        """Return when all entries are on disk; `WriteConflict` or `DatabaseError` when none is."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait((entries, done))
        await done

    async def check(self) -> None:
        """Return when a write has gone through; `DatabaseError` says why none does."""
        self.database.check_room()
        try:
            await asyncio.wait_for(self.write(), CHECK_TIMEOUT_S)
        except TimeoutError:
            raise DatabaseError(f"no write within {CHECK_TIMEOUT_S:g} seconds") from None

    async def events(self, match: str, after: int = 0) -> list[Event]:
        """What has happened in a match since an event."""
        query = (
            select(EVENTS.c.seq, EVENTS.c.at, EVENTS.c.kind, EVENTS.c.data)
            .where(EVENTS.c.match == match, EVENTS.c.seq > after)
            .order_by(EVENTS.c.seq)
        )
        return [Event(*row) for row in await self._read(query)]

    async def status(self, match: str) -> tuple[str, str]:
        """Whether a match is open, over or archived; the address that opened it, while it is."""
        query = select(MATCHES.c.status, MATCHES.c.opener).where(MATCHES.c.id == match)
        status, opener = (await self._read(query))[0]
        return status, opener

    async def places(self, match: str) -> list[SeatCredential]:
        """All tokens and invitations of a match."""
        return [
            SeatCredential(*row) for row in await self._read(PLACES.where(SEATS.c.match == match))
        ]

    async def invitation(self, hash: str) -> SeatCredential | None:
        """What an invitation is for."""
        query = PLACES.where(SEATS.c.hash == hash, SEATS.c.invitation)
        return next((SeatCredential(*row) for row in await self._read(query)), None)

    async def secrets(self, match: str, round: int) -> dict[int, tuple[int, str]]:
        """Number and salt of the picks of a round that is not complete: for completing it alone."""
        query = select(SECRETS.c.seat, SECRETS.c.number, SECRETS.c.salt).where(
            SECRETS.c.match == match, SECRETS.c.round == round
        )
        return {seat: (number, salt) for seat, number, salt in await self._read(query)}

    async def listed(self, most: int, since: float) -> list[str]:
        """The listed matches that are open and were touched since, the last opened first."""
        query = (
            select(MATCHES.c.id)
            .where(MATCHES.c.listed, MATCHES.c.status == OPEN, MATCHES.c.touched >= since)
            .order_by(MATCHES.c.opened.desc())
            .limit(most)
        )
        return [id for (id,) in await self._read(query)]

    async def touch(self, matches: Sequence[str]) -> None:
        """Note that somebody is there now."""
        touched = update(MATCHES).where(MATCHES.c.id.in_(matches)).values(touched=time.time())
        await self.database.run(lambda connection: connection.execute(touched).rowcount)

    async def due(self, now: float) -> list[str]:
        """The open matches in which somebody's time may be up."""
        query = select(MATCHES.c.id).where(MATCHES.c.status == OPEN, MATCHES.c.due < now)
        return [id for (id,) in await self._read(query)]

    async def postpone(self, match: str, due: float) -> None:
        """Note that nobody's time is up in a match before a moment."""
        later = update(MATCHES).where(MATCHES.c.id == match, MATCHES.c.due < due).values(due=due)
        await self.database.run(lambda connection: connection.execute(later).rowcount)

    async def count_open(self, opener: str | None = None) -> int:
        """How many matches are open: all, or those that were opened from an address."""
        query = select(func.count()).select_from(MATCHES).where(MATCHES.c.status == OPEN)
        if opener is not None:
            query = query.where(MATCHES.c.opener == opener)
        return int((await self._read(query))[0][0])

    async def archive(self, before: float) -> int:
        """Put aside the open matches in which nothing has happened since; how many there were.

        They stay as they are, and are open again when somebody comes back.
        """
        recent = exists().where(EVENTS.c.match == MATCHES.c.id, EVENTS.c.at >= before)
        stale = update(MATCHES).where(MATCHES.c.status == OPEN, MATCHES.c.touched < before, ~recent)
        change = stale.values(status=ARCHIVED)
        return await self.database.run(lambda connection: connection.execute(change).rowcount)

    async def _read(self, query: Select[Any]) -> Sequence[Any]:
        return await self.database.read(query)

    async def _write_for_ever(self) -> None:
        while True:
            batch = [await self._waiting.get()]
            while not self._waiting.empty() and len(batch) < MAX_BATCH_WRITES:
                batch.append(self._waiting.get_nowait())
            await self._write_batch(batch)
            for _ in batch:
                self._waiting.task_done()

    async def _write_batch(self, batch: list[Work]) -> None:
        """All in one transaction, but for what others have overtaken."""
        problems = await self._try([entries for entries, _ in batch])
        for (_, done), problem in zip(batch, problems, strict=True):
            if done.done():  # whoever waited is gone
                continue
            if problem is None:
                done.set_result(None)
            else:
                done.set_exception(problem)

    async def _try(self, works: Sequence[tuple[LedgerEntry, ...]]) -> list[Exception | None]:
        """Write what fits; for each work what was wrong with it."""
        try:
            return await self.database.run_short(self._write, works)
        except DatabaseError as error:
            return [DatabaseError(str(error)) for _ in works]
        except Exception as error:
            if len(works) > 1:  # one of them does not fit: each by itself
                return [(await self._try([work]))[0] for work in works]
            if isinstance(error, WriteConflict | IntegrityError):
                return [WriteConflict()]
            LOG.exception("a write failed")
            return [error]

    def _write(
        self, connection: Connection, works: Sequence[tuple[LedgerEntry, ...]]
    ) -> list[Exception | None]:
        every = [entry for work in works for entry in work]
        late = overtaken(connection, every) if self.shared else {}
        problems: list[Exception | None] = []
        fit: list[LedgerEntry] = []
        for work in works:
            behind = next((entry.match for entry in work if entry.match in late), None)
            problems.append(None if behind is None else WriteConflict(late[behind]))
            fit += work if behind is None else ()
        if fit:
            write(connection, fit)
            if self.shared:
                notify(connection, fit)
        elif not every:
            connection.execute(UNCHANGED)
        return problems
