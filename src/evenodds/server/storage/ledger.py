"""The ledger: the event log of all matches, read by query and written in batches."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, exists, func, select, update
from sqlalchemy.exc import IntegrityError

from evenodds.server.jobs import SupervisedTasks
from evenodds.server.logs import LOG
from evenodds.server.storage.database import Database, DatabaseError
from evenodds.server.storage.ledger_entries import (
    Event,
    LedgerEntry,
    SeatCredential,
    Secret,
    WriteConflict,
    notify,
    probe,
    write,
)
from evenodds.server.storage.schema import ARCHIVED, EVENTS, MATCHES, OPEN, SEAT_CREDENTIALS

MAX_BATCH_WRITES: Final = 200
"""Writes that share one transaction, and so one flush to disk, at most."""
BUSY_WRITES_PER_S: Final = 1000
"""Above that batches come half as often: each costs the same however many writes it has."""
CHECK_INTERVAL_S: Final = 1.0
"""Seconds for which the outcome of a check counts, for those who ask often: each writes 71 KB."""
SELECT_CREDENTIALS: Final = select(*(SEAT_CREDENTIALS.c[name] for name in SeatCredential._fields))
PendingWrite = tuple[tuple[LedgerEntry, ...], asyncio.Future[None]]
"""Entries of one transaction, and the future that their writer awaits."""


class Ledger:
    """Reads matches, and writes entries in batches: one flush to disk for all that are pending."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.shared = database.shared
        """Whether other processes may write to this database."""
        self._asked: set[str] = set()
        """Matches whose secrets are read next."""
        self._next_secrets: asyncio.Task[dict[str, list[Secret]]] | None = None
        self._pending: list[PendingWrite] = []
        self._is_pending = asyncio.Event()
        self._is_idle = asyncio.Event()
        """Whether nothing is pending, and no batch is being written."""
        self._is_idle.set()
        self._tasks = SupervisedTasks()
        self._last_check: asyncio.Task[None] | None = None
        self._last_check_at = 0.0

    def start(self) -> None:
        """Start the task that writes."""
        self._tasks.run_forever(self._write_batches, "ledger")

    async def stop(self) -> None:
        """Write what is pending, and close the database."""
        await self._is_idle.wait()
        await self._tasks.stop()
        await self.database.close()

    async def write(self, *entries: LedgerEntry) -> None:
        """Return when all entries are on disk; `WriteConflict` or `DatabaseError` when none is."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending.append((entries, done))
        self._is_pending.set()
        self._is_idle.clear()
        await done

    def refuse_pending(self, match: str, event: Event) -> bool:
        """Refuse the write that waits for the place of this event; whether there is one.

        Another process has written the event: the writer decides again without asking the database.
        """
        for place, (entries, done) in enumerate(self._pending):
            entry = entries[0] if len(entries) == 1 else None
            if entry and entry.match == match and entry.is_plain and not done.done():
                del self._pending[place]
                done.set_exception(WriteConflict([event]))
                return True
        return False

    async def check(self, timeout_s: float = 5.0) -> None:
        """Return when a match could be opened; `DatabaseError` says why none can."""
        self.database.check_disk_space()
        try:
            async with asyncio.timeout(timeout_s):
                await self.write()  # of nothing: a probe
                await self.count_open()
        except TimeoutError:
            raise DatabaseError(f"no write and read within {timeout_s:g} seconds") from None

    async def recent_check(self) -> None:
        """The same once a second at most: whoever asks in between hears the last outcome."""
        now, last = time.monotonic(), self._last_check
        if last is None or (last.done() and now - self._last_check_at >= CHECK_INTERVAL_S):
            last = self._last_check = asyncio.create_task(self.check())
            self._last_check_at = now
        await asyncio.shield(last)

    async def events(self, match: str, after: int = 0) -> list[Event]:
        """The events of a match after a sequence number."""
        query = (
            select(EVENTS.c.seq, EVENTS.c.at, EVENTS.c.kind, EVENTS.c.data)
            .where(EVENTS.c.match == match, EVENTS.c.seq > after)
            .order_by(EVENTS.c.seq)
        )
        return [Event.of_row(*row) for row in await self.database.read(query)]

    async def status(self, match: str) -> tuple[str, str]:
        """The status of a match and, until it is over, the address that opened it."""
        query = select(MATCHES.c.status, MATCHES.c.opener).where(MATCHES.c.id == match)
        status, opener = (await self.database.read(query))[0]
        return status, opener

    async def credentials(self, match: str) -> list[SeatCredential]:
        """All tokens and invitations of a match."""
        query = SELECT_CREDENTIALS.where(SEAT_CREDENTIALS.c.match == match)
        return [SeatCredential(*row) for row in await self.database.read(query)]

    async def invitation(self, hash: str) -> SeatCredential | None:
        """The invitation with this hash."""
        query = SELECT_CREDENTIALS.where(
            SEAT_CREDENTIALS.c.hash == hash, SEAT_CREDENTIALS.c.invitation
        )
        return next((SeatCredential(*row) for row in await self.database.read(query)), None)

    async def secrets(self, match: str, round: int) -> dict[int, tuple[int, str]]:
        """Numbers and salts of the picks of an open round, by seat: only for completing it.

        One query reads them for all who ask while the query before is under way.
        """
        if not self._asked:
            self._next_secrets = asyncio.create_task(self._read_secrets(self._next_secrets))
        self._asked.add(match)
        assert self._next_secrets is not None
        found = (await asyncio.shield(self._next_secrets))[match]
        return {each.seat: (each.number, each.salt) for each in found if each.round == round}

    async def _read_secrets(self, before: asyncio.Task[Any] | None) -> dict[str, list[Secret]]:
        if before is not None:
            await asyncio.wait([before])
        asked, self._asked = self._asked, set()
        found = defaultdict[str, list[Secret]](list)
        for row in await self.database.secrets(list(asked)):
            secret = Secret(*row)
            found[secret.match].append(secret)
        return found

    async def listed(self, limit: int, share: int, since: float) -> list[str]:
        """Ids of the open listed matches touched since a moment, the last opened first.

        At most `share` of one opener; where places are few, the last one of each comes first.
        """
        latest = MATCHES.c.opened.desc()
        rank = func.row_number().over(partition_by=MATCHES.c.opener, order_by=latest)
        ranked = (
            select(MATCHES.c.id, MATCHES.c.opened, rank.label("rank"))
            .where(MATCHES.c.listed, MATCHES.c.status == OPEN, MATCHES.c.touched >= since)
            .subquery()
        )
        query = (
            select(ranked.c.opened, ranked.c.id)
            .where(ranked.c.rank <= share)
            .order_by(ranked.c.rank, ranked.c.opened.desc())
            .limit(limit)
        )
        found = await self.database.read(query)
        return [id for _, id in sorted(map(tuple, found), reverse=True)]

    async def touch(self, matches: Sequence[str]) -> None:
        """Set `touched` to the current time."""
        touched = update(MATCHES).where(MATCHES.c.id.in_(matches)).values(touched=time.time())
        await self.database.run(lambda connection: connection.execute(touched).rowcount)

    async def due(self, now: float) -> list[str]:
        """Ids of the open matches in which a seat may be overdue."""
        query = select(MATCHES.c.id).where(MATCHES.c.status == OPEN, MATCHES.c.due < now)
        return [id for (id,) in await self.database.read(query)]

    async def postpone(self, match: str, due: float) -> None:
        """Move the time of the next check for an overdue seat back."""
        later = update(MATCHES).where(MATCHES.c.id == match, MATCHES.c.due < due).values(due=due)
        await self.database.run(lambda connection: connection.execute(later).rowcount)

    async def count_open(self, opener: str | None = None) -> int:
        """Number of open matches: all, or those opened from an address."""
        query = select(func.count()).select_from(MATCHES).where(MATCHES.c.status == OPEN)
        if opener is not None:
            query = query.where(MATCHES.c.opener == opener)
        return int((await self.database.read(query))[0][0])

    async def archive(self, before: float) -> int:
        """Archive the open matches without events since a moment; how many there were.

        The next event in such a match opens it again.
        """
        recent = exists().where(EVENTS.c.match == MATCHES.c.id, EVENTS.c.at >= before)
        stale = update(MATCHES).where(MATCHES.c.status == OPEN, MATCHES.c.touched < before, ~recent)
        change = stale.values(status=ARCHIVED)
        return await self.database.run(lambda connection: connection.execute(change).rowcount)

    async def _write_batches(self) -> None:
        began_at, interval_s = 0.0, self.database.batch_interval_s
        while True:
            await self._is_pending.wait()
            wait_s = began_at + interval_s - time.monotonic()
            if wait_s > 0:
                await asyncio.sleep(wait_s)
            began_at = time.monotonic()
            batch = self._pending[:MAX_BATCH_WRITES]
            del self._pending[:MAX_BATCH_WRITES]
            if not self._pending:
                self._is_pending.clear()
            is_busy = len(batch) > BUSY_WRITES_PER_S * interval_s
            interval_s = self.database.batch_interval_s * (2 if is_busy else 1)
            try:
                await self._write_batch(batch)
            except Exception:  # the supervisor logs it, and begins again
                _complete(batch, [DatabaseError("the write failed") for _ in batch])
                raise
            finally:
                if not self._pending:
                    self._is_idle.set()

    async def _write_batch(self, batch: list[PendingWrite]) -> None:
        """Write a batch and complete its futures: plain entries first, where they are many."""
        plain: list[PendingWrite] = []
        others: list[PendingWrite] = []
        for pending in batch:
            entries, _ = pending
            is_plain = self.shared and len(entries) == 1 and entries[0].is_plain
            (plain if is_plain else others).append(pending)
        if plain:
            _complete(plain, await self._try_append([entries for (entries,), _ in plain]))
        if others:
            _complete(others, await self._try_write([entries for entries, _ in others]))

    async def _try_append(self, entries: Sequence[LedgerEntry]) -> list[Exception | None]:
        """Append what does not conflict, in one statement; for each entry its error, or None."""
        first = {entry.match: entry for entry in reversed(entries)}
        try:
            conflicts = await self.database.append(list(first.values()))
        except DatabaseError as error:
            return [type(error)(str(error)) for _ in entries]
        except Exception:  # one of them breaks the statement
            return await self._try_write([(entry,) for entry in entries])
        return [
            # A second entry of the same match was decided before the first was known.
            WriteConflict(conflicts.get(entry.match, ()))
            if entry.match in conflicts or first[entry.match] is not entry
            else None
            for entry in entries
        ]

    async def _try_write(self, writes: Sequence[tuple[LedgerEntry, ...]]) -> list[Exception | None]:
        """Write what does not conflict; for each write its error, or None."""
        try:
            await self.database.run(self._write, [entry for entries in writes for entry in entries])
        except DatabaseError as error:
            return [type(error)(str(error)) for _ in writes]
        except Exception as error:
            if len(writes) > 1:  # the transaction was rolled back for one of them: try each alone
                return [(await self._try_write([entries]))[0] for entries in writes]
            if isinstance(error, WriteConflict | IntegrityError):
                return [WriteConflict()]
            LOG.exception("a write failed")
            return [error]
        return [None for _ in writes]

    def _write(self, connection: Connection, entries: Sequence[LedgerEntry]) -> None:
        if not entries:
            probe(connection)
            return
        write(connection, entries)
        if self.shared:
            notify(connection, entries)


def _complete(batch: Sequence[PendingWrite], problems: Sequence[Exception | None]) -> None:
    """Tell those who wait for a write how it went."""
    for (_, done), problem in zip(batch, problems, strict=True):
        if done.done():  # the request was cancelled meanwhile
            continue
        if problem is None:
            done.set_result(None)
        else:
            done.set_exception(problem)
