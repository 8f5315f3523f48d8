"""Outages: times without a server heartbeat, during which all clocks stand still.

All processes write their heartbeat to the same row. The first that finds it too old records the
outage: from the last heartbeat until now.
"""

import time
from bisect import bisect_right
from operator import itemgetter
from typing import Final

from sqlalchemy import Connection, insert, select, update

from evenodds.server.storage.database import Database
from evenodds.server.storage.schema import HEARTBEAT, OUTAGES

HEARTBEAT_S: Final = 5.0
"""Seconds between two heartbeats."""
OUTAGE_THRESHOLD_S: Final = 2 * HEARTBEAT_S
"""Seconds without a heartbeat that count as an outage."""


class Outages:
    """The outages known to this process."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._outages: list[tuple[float, float]] = []
        self._heartbeat_at = 0.0
        """When this process recorded the last one; 0 before its first."""

    async def heartbeat(self) -> bool:
        """Record a heartbeat and read new outages; whether there were any."""
        # Nobody else serves a SQLite file: at the start any gap is an outage, however short.
        first = not (self._heartbeat_at or self.database.shared)
        threshold_s = 0.0 if first else OUTAGE_THRESHOLD_S
        since = self._outages[-1][1] if self._outages else 0.0
        now = time.time()
        new = await self.database.run(_record_heartbeat, now, threshold_s, since)
        self._heartbeat_at = now
        known = self._outages[-1][1] if self._outages else 0.0  # another may have read them, too
        self._outages += [outage for outage in new if outage[1] > known]
        return bool(new)

    def is_due(self) -> bool:
        """Whether a heartbeat is due. By wall-clock time, which goes on while a machine sleeps."""
        return abs(time.time() - self._heartbeat_at) >= HEARTBEAT_S

    def seconds_since(self, since: float) -> float:
        """Seconds of outage since a moment."""
        later = bisect_right(self._outages, since, key=itemgetter(1))
        return sum((end - max(began, since) for began, end in self._outages[later:]), 0.0)


def _record_heartbeat(
    connection: Connection, now: float, threshold_s: float, since: float
) -> list[tuple[float, float]]:
    """Record a heartbeat, and an outage that ends with it; the outages that ended after `since`."""
    # The row lock keeps two processes from recording the same outage.
    last = connection.execute(select(HEARTBEAT.c.at).with_for_update()).scalar_one()
    if now - last > threshold_s:
        connection.execute(insert(OUTAGES).values(began=last, ended=now))
    connection.execute(update(HEARTBEAT).values(at=max(last, now)))
    query = select(OUTAGES.c.began, OUTAGES.c.ended).where(OUTAGES.c.ended > since)
    rows = connection.execute(query.order_by(OUTAGES.c.ended))
    return [(began, ended) for began, ended in rows]
