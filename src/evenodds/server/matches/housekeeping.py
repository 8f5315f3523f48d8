"""Periodic tasks: heartbeat, overdue matches, absences, archiving, freeing memory.

What many matches are due for is written at once, so that it shares a flush to disk.
"""

import asyncio
import time
from contextlib import suppress
from typing import Final

from evenodds.core.vocabulary import SEATS
from evenodds.server.logs import LOG
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.storage.database import DatabaseError

MAX_ENDED_AT_ONCE: Final = 200
"""Overdue matches that are loaded and ended together."""
TOUCH_S: Final = 20.0
"""Seconds between two updates of `touched` for an attended listed match."""
BROKEN_MATCH_RETRY_S: Final = 600.0
"""Seconds until a match that could not be ended is tried again: its game may be gone for good."""
HOUR_S: Final = 3600.0


async def run_housekeeping(registry: MatchRegistry) -> None:
    """Run all periodic tasks but for absences; its supervisor repeats it each second."""
    with suppress(DatabaseError):  # the database has logged it
        await registry.check_outages()  # first: after a sleep nobody must be found overdue
        registry.expire_polls()
        registry.evict_idle(registry.settings.idle_seconds)
        if time.monotonic() - registry.archived_at >= HOUR_S:
            registry.archived_at = time.monotonic()
            before = time.time() - registry.settings.archive_days * 24 * HOUR_S
            if count := await registry.ledger.archive(before):
                LOG.info("matches put aside", extra={"count": count})
        await _end_overdue(registry)
        await _touch_listed(registry)


async def _end_overdue(registry: MatchRegistry) -> None:
    """End overdue matches, also those that no process holds in memory."""
    due = await registry.ledger.due(time.time())
    for start in range(0, len(due), MAX_ENDED_AT_ONCE):
        ids = due[start : start + MAX_ENDED_AT_ONCE]
        await asyncio.gather(*(_end_if_overdue(registry, id) for id in ids))


async def _end_if_overdue(registry: MatchRegistry, id: str) -> None:
    try:
        session = await registry.session(id, watched=False)
        state = await registry.referee.end_overdue(session)
        if not state.over:
            await registry.ledger.postpone(id, state.deadline or time.time() + (state.clock or 0))
    except DatabaseError:
        raise
    except Exception:  # one broken match must not block the others, nor fill the log
        LOG.exception("a match could not be ended", extra={"match": id})
        await registry.ledger.postpone(id, time.time() + BROKEN_MATCH_RETRY_S)


async def run_absences(registry: MatchRegistry) -> None:
    """Record the absence of players who are waited for, and their return.

    Its supervisor repeats it each second, and no clock waits for that.
    """
    record, found = registry.referee.record_absence, []
    for session in tuple(registry.sessions.values()):
        state, here = session.state, session.local_seats()
        if not here or state.clock or state.over:
            continue
        connected = session.connected()
        for seat in SEATS:
            if connected[seat]:
                session.away_since.pop(seat, None)
                if seat in here and seat in state.absent:
                    found.append(record(session, seat, absent=False))
                continue
            away = time.monotonic() - session.away_since.setdefault(seat, time.monotonic())
            absent = away > registry.settings.away_seconds
            if absent and seat in state.waiting() and seat not in state.absent:
                found.append(record(session, seat, absent=True))
    with suppress(DatabaseError):
        await asyncio.gather(*found)


async def _touch_listed(registry: MatchRegistry) -> None:
    """Update `touched` of the listed matches that are attended; the lobby shows only those."""
    now = time.monotonic()
    attended = [
        session
        for session in registry.sessions.values()
        if session.state.listed and not session.state.over
        if now - session.touched_at > TOUCH_S and session.is_attended()
    ]
    if attended:
        await registry.ledger.touch([session.state.id for session in attended])
        for session in attended:
            session.touched_at = now
