"""Optimistic writes: decide, append to the ledger, apply; retried after a conflict.

Two processes may decide at once; the ledger takes one of them, and the other decides anew.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from evenodds.core.match import IllegalPick
from evenodds.server.matches.match_session import MatchSession
from evenodds.server.matches.match_state import MatchState
from evenodds.server.storage import schema
from evenodds.server.storage.events import Event, LedgerEntry, WriteConflict
from evenodds.server.storage.ledger import Ledger

MAX_WRITE_ATTEMPTS: Final = 5
"""How often something is decided anew when another process was faster."""

Decision = Callable[[MatchState], Awaitable[LedgerEntry | None]]
"""What is to be written, or nothing when it has been done already; `IllegalPick` refuses."""


class EventWriter:
    """Writes what is decided at tables, and takes in what other processes have written."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.then: Callable[[MatchSession], None] = lambda table: None
        """Called after each decision: computers may have something to do."""

    async def decide(self, table: MatchSession, decision: Decision) -> MatchState:
        """Decide under the lock of the table, and write; anew when another was faster."""
        for _ in range(MAX_WRITE_ATTEMPTS):
            async with table.lock:
                try:
                    entry = await decision(table.room)
                    if entry is None:
                        return table.room
                    await self.write(table, entry)
                except WriteConflict as conflict:
                    await self._take_in(table, conflict.events, table.room.seq + 1)
                    continue
                except IllegalPick:  # unless another process knows more
                    if self.ledger.shared and await self._refresh(table):
                        continue
                    raise
            self.then(table)
            return table.room
        raise IllegalPick("too much is happening in this match; try again")

    async def write(self, table: MatchSession, entry: LedgerEntry, *others: LedgerEntry) -> None:
        """Put entries on disk, then let the room take the first, then tell of it."""
        if table.archived and entry.status is None:
            entry = entry._replace(status=schema.OPEN)
        await self.ledger.write(entry, *others)
        table.archived = False
        if entry.secret is not None:
            kept = entry.secret
            table.room.numbers[kept.seat] = (kept.number, kept.salt)
        for event in entry.events:
            table.room.take(event)
        table.tell()

    async def refresh(self, table: MatchSession) -> None:
        """Take in what another process has written."""
        async with table.lock:
            await self._refresh(table)
        self.then(table)

    async def hear(self, table: MatchSession, seq: int, event: Event | None) -> None:
        """Take in an event that another process has written; what is missing before it is read."""
        if seq <= table.room.seq:
            return
        async with table.lock:
            await self._take_in(table, [event] if event else [], seq)
        self.then(table)

    async def _take_in(self, table: MatchSession, events: Sequence[Event], least: int) -> None:
        """Take in events up to one at least: these, if they follow, or else what is on disk."""
        fresh = [event for event in events if event.seq > table.room.seq]
        if fresh and fresh[0].seq == table.room.seq + 1:
            await self._take(table, fresh)
        elif table.room.seq < least:
            await self._refresh(table)

    async def _refresh(self, table: MatchSession) -> bool:
        """Take in what is on disk; whether there was anything."""
        events = await self.ledger.events(table.room.id, table.room.seq)
        if events:
            await self._take(table, events)
        return bool(events)

    async def _take(self, table: MatchSession, events: Sequence[Event]) -> None:
        if any(event.kind == "joined" for event in events):
            table.places = await self.ledger.places(table.room.id)
        for event in events:
            table.room.take(event)
        table.tell()


def event_of(room: MatchState, kind: str, **data: Any) -> Event:
    """The next event of a room, now."""
    return Event(room.seq + 1, time.time(), kind, data)
