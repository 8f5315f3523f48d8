"""Outages: times without a server heartbeat, which count on nobody's clock.

Every process that serves says so now and then, all of them in one place. Whoever finds that nobody
has said so for too long writes down from when until when that was.
"""

import time
from typing import Final

from sqlalchemy import Connection, insert, select, update

from evenodds.server.storage.database import Database
from evenodds.server.storage.schema import HEARTBEAT, OUTAGES

HEARTBEAT_S: Final = 5.0
"""Seconds between two signs of life."""
OUTAGE_THRESHOLD_S: Final = 2 * HEARTBEAT_S
"""Seconds without any after which nobody has served."""


class Outages:
    """The times in which no process served, as far as they are known here."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._known: list[tuple[float, float]] = []
        self._begun = False
        self._beat_at = 0.0

    async def beat(self) -> bool:
        """Say that somebody serves, and learn of outages; whether there was one."""
        alone = not (self._begun or self.database.shared)  # whatever is missing, nobody served
        since = self._known[-1][1] if self._known else 0.0
        now = time.time()
        news = await self.database.run(_beat, now, 0.0 if alone else OUTAGE_THRESHOLD_S, since)
        self._begun, self._beat_at = True, now
        self._known += news
        return bool(news)

    def is_due(self) -> bool:
        """Whether it is time for a sign of life; a machine that slept gives one when it wakes."""
        return abs(time.time() - self._beat_at) >= HEARTBEAT_S

    def lost(self, since: float) -> float:
        """How many seconds nobody served from a moment on."""
        seconds = 0.0
        for began, ended in reversed(self._known):
            if ended <= since:
                break
            seconds += ended - max(began, since)
        return seconds


def _beat(
    connection: Connection, now: float, missed: float, since: float
) -> list[tuple[float, float]]:
    """Give a sign of life, and write down an outage that ends with it: those after a moment."""
    last = connection.execute(select(HEARTBEAT.c.at).with_for_update()).scalar_one()
    if now - last > missed:
        connection.execute(insert(OUTAGES).values(began=last, ended=now))
    connection.execute(update(HEARTBEAT).values(at=max(last, now)))
    found = select(OUTAGES.c.began, OUTAGES.c.ended).where(OUTAGES.c.ended > since)
    rows = connection.execute(found.order_by(OUTAGES.c.ended))
    return [(began, ended) for began, ended in rows]
