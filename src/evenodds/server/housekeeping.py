"""What a server does by itself: give signs of life, end what both have left, forget, put aside."""

import asyncio
import time
from typing import Final

from evenodds.server.database import DatabaseError
from evenodds.server.hall import Hall
from evenodds.server.logs import LOG
from evenodds.vocabulary import SEATS

TICK: Final = 1.0
HOUR: Final = 3600.0
DAY: Final = 24 * HOUR


async def keep_house(hall: Hall) -> None:
    """Look after the hall for as long as the server runs."""
    archived_at = -HOUR
    while True:
        try:
            if hall.outages.is_due():  # first of all: who slept must not find others late
                await hall.beat()
            hall.drop_polled()
            hall.forget(hall.settings.idle_seconds)
            if time.monotonic() - archived_at >= HOUR:
                archived_at = time.monotonic()
                count = await hall.ledger.archive(time.time() - hall.settings.archive_days * DAY)
                if count:
                    LOG.info("matches put aside", extra={"count": count})
            await _end_the_left(hall)
        except DatabaseError as error:
            LOG.warning("the database does not answer", extra={"reason": str(error)})
        await asyncio.sleep(TICK)


async def _end_the_left(hall: Hall) -> None:
    """A match in which both are past their time is void, asked for or not."""
    now = time.time()
    for table in tuple(hall.tables.values()):
        if table.room.clock and len(table.room.late(now)) == len(SEATS):
            try:
                await hall.referee.void(table)
            except DatabaseError:
                raise
            except Exception:  # the others are not left waiting for this one
                LOG.exception("a match could not be ended", extra={"match": table.room.id})
