"""The probe of readiness: a write that is at least as large as the opening of a match."""

import secrets
import time
from typing import Final

from sqlalchemy import Connection, delete, insert

from evenodds.server.storage.schema import EVENTS, MATCHES, OPEN, SEAT_CREDENTIALS, SECRETS

PROBE_BYTES: Final = 1 << 14
"""Size of the event that is written; those of matches are smaller."""


def probe(connection: Connection) -> None:
    """Write rows to all tables of a match, find and delete them again; nobody else sees them.

    The pages that were changed are flushed to disk nevertheless.
    """
    id, now, data = secrets.token_hex(8), time.time(), f'{{"probe":"{"x" * PROBE_BYTES}"}}'
    match = {"id": id, "game": "", "listed": False, "opened": now, "touched": now, "status": OPEN}
    connection.execute(insert(MATCHES).values(match))
    connection.execute(insert(EVENTS).values(match=id, seq=1, at=now, kind="probe", data=data))
    credential = {"match": id, "hash": id, "seat": 0, "invitation": False, "spent": False}
    connection.execute(insert(SEAT_CREDENTIALS).values(credential))
    connection.execute(insert(SECRETS).values(match=id, round=1, seat=0, number=0))
    for column in (MATCHES.c.id, EVENTS.c.match, SEAT_CREDENTIALS.c.match, SECRETS.c.match):
        connection.execute(delete(column.table).where(column == id))
