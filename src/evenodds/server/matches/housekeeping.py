"""Periodic tasks: heartbeat, overdue matches, absences, archiving, freeing memory."""

import asyncio
import time
from typing import Final

from evenodds.core.vocabulary import SEATS
from evenodds.server.logs import LOG
from evenodds.server.matches.registry import MatchRegistry
from evenodds.server.storage.database import DatabaseError

TICK_S: Final = 1.0
TOUCH_S: Final = 20.0
"""Seconds after which it is noted again that somebody is at a listed match."""
HOUR_S: Final = 3600.0
DAY_S: Final = 24 * HOUR_S


async def run_housekeeping(hall: MatchRegistry) -> None:
    """Look after the hall for as long as the server runs."""
    archived_at = -HOUR_S
    while True:
        try:
            await hall.note_outages()  # first of all: who slept must not find others late
            hall.drop_polled()
            hall.forget(hall.settings.idle_seconds)
            if time.monotonic() - archived_at >= HOUR_S:
                archived_at = time.monotonic()
                count = await hall.ledger.archive(time.time() - hall.settings.archive_days * DAY_S)
                if count:
                    LOG.info("matches put aside", extra={"count": count})
            await _end_late(hall)
            await _note_absences(hall)
            await _touch_listed(hall)
        except DatabaseError as error:
            LOG.warning("the database does not answer", extra={"reason": str(error)})
        await asyncio.sleep(TICK_S)


async def _end_late(hall: MatchRegistry) -> None:
    """End the matches in which somebody's time is up, whoever looks at them."""
    for id in await hall.ledger.due(time.time()):
        try:
            table = await hall.table(id, look=False)
            room = await hall.referee.end_late(table)
            if not room.over:
                await hall.ledger.postpone(id, room.deadline or time.time() + (room.clock or 0))
        except DatabaseError:
            raise
        except Exception:  # the others are not left waiting for this one
            LOG.exception("a match could not be ended", extra={"match": id})


async def _note_absences(hall: MatchRegistry) -> None:
    """Write down who is waited for by somebody and away, and who is back."""
    for table in tuple(hall.tables.values()):
        room, here = table.room, table.here()
        if not here or room.clock or room.over:
            continue
        connected = table.connected()
        for seat in SEATS:
            if connected[seat]:
                table.away.pop(seat, None)
                if seat in here and seat in room.absent:
                    await hall.referee.note_absence(table, seat, absent=False)
                continue
            away = time.monotonic() - table.away.setdefault(seat, time.monotonic())
            late = away > hall.settings.away_seconds
            if late and seat in room.waiting() and seat not in room.absent:
                await hall.referee.note_absence(table, seat, absent=True)


async def _touch_listed(hall: MatchRegistry) -> None:
    """Note in which of the listed matches somebody is there; only those are shown."""
    now = time.monotonic()
    there = [
        table
        for table in hall.tables.values()
        if table.room.listed
        and not table.room.over
        and now - table.touched_at > TOUCH_S
        and table.is_attended()
    ]
    if there:
        await hall.ledger.touch([table.room.id for table in there])
        for table in there:
            table.touched_at = now
