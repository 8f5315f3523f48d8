"""Optimistic writes: decide, append to the ledger, apply; retried after a conflict.

Two processes may decide at once; the ledger accepts one, and the other decides again.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from math import inf
from typing import Any, Final

from evenodds.core.match import IllegalPick
from evenodds.protocol.events import Joined, MatchEvent
from evenodds.server.matches.match_session import MatchSession
from evenodds.server.matches.match_state import MatchState
from evenodds.server.storage import schema
from evenodds.server.storage.ledger import Ledger
from evenodds.server.storage.ledger_entries import Event, LedgerEntry, WriteConflict

MAX_WRITE_ATTEMPTS: Final = 5
"""Writes of one decision, the retries included."""

Decision = Callable[[], Awaitable[LedgerEntry | None]]
"""The entry to be written, or None where nothing is to be done; `IllegalPick` refuses."""


class EventWriter:
    """Writes decisions on sessions, and applies the events that other processes have written."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.on_decided: Callable[[MatchSession], None] = lambda session: None
        """Called after each change, outside the lock: a computer's action may be due."""

    async def decide(self, session: MatchSession, decision: Decision) -> MatchState:
        """Decide and write under the session's lock, then notify the watchers.

        Of decisions that wait for each other the last one notifies: watchers skip what holds for
        the time of one write only.
        """
        session.deciding += 1
        try:
            return await self._decide(session, decision)
        finally:
            session.deciding -= 1
            if not session.deciding:
                session.notify_of_events()

    async def _decide(self, session: MatchSession, decision: Decision) -> MatchState:
        """Decide, and after a conflict decide again.

        The lock orders the decisions of this process. Against other processes only the ledger's
        primary key (match, seq) helps, so a conflict means: catch up, and decide on the new state.
        """
        for _ in range(MAX_WRITE_ATTEMPTS):
            async with session.lock:
                try:
                    entry = await decision()
                    if entry is None:
                        return session.state
                    await self.write(session, entry)
                except WriteConflict as conflict:
                    await self.catch_up(session, conflict.events)
                    continue
                except IllegalPick:  # it may be legal after what another process has written
                    if self.ledger.shared and await self.catch_up(session):
                        continue
                    raise
            self.on_decided(session)
            return session.state
        raise IllegalPick("this match is busy; try again")

    async def write(self, session: MatchSession, entry: LedgerEntry, *others: LedgerEntry) -> None:
        """Write entries to disk, then apply the first to the state; the watchers are notified next.

        Nobody sees an event that a crash could take back. The caller holds the session's lock.
        """
        if session.archived and entry.status is None:
            entry = entry._replace(status=schema.OPEN)
        await self.ledger.write(entry, *others)
        session.archived = False
        if entry.secret is not None:
            secret = entry.secret
            session.state.secret_picks[secret.seat] = (secret.number, secret.salt)
        session.state.apply(entry.event)

    async def refresh(self, session: MatchSession, known: float = inf) -> None:
        """Apply the events that other processes have written, unless it is known up to a number."""
        async with session.lock:
            found = session.state.seq < known and await self.catch_up(session)
            session.notify_of_events()
        if found:
            self.on_decided(session)

    def try_receive(self, session: MatchSession, event: Event) -> bool:
        """Apply an event of a notification at once; False where `refresh` must wait or read."""
        if event.seq != session.state.seq + 1 or isinstance(event.content, Joined):
            return False
        if session.lock.locked():  # who holds it decides again, unless its write is under way
            return self.ledger.refuse_pending(session.state.id, event)
        session.state.apply(event)
        session.notify_of_events()
        self.on_decided(session)
        return True

    async def catch_up(self, session: MatchSession, events: Sequence[Event] = ()) -> bool:
        """Apply these new events, or those on disk; whether there were any.

        The caller holds the session's lock.
        """
        events = events or await self.ledger.events(session.state.id, session.state.seq)
        if any(isinstance(event.content, Joined) for event in events):
            session.credentials = await self.ledger.credentials(session.state.id)
        for event in events:
            session.state.apply(event)
        return bool(events)


def next_entry(state: MatchState, content: MatchEvent, **rows: Any) -> LedgerEntry:
    """The entry of the event that follows the last one of a match, with other rows of it."""
    return LedgerEntry(state.id, Event(state.seq + 1, time.time(), content), **rows)
