"""Ledger entries: match events and the rows written with them, in one transaction."""

import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, select, text, update

from evenodds.protocol.events import MatchEvent
from evenodds.server.storage.schema import EVENTS, MATCHES, OPEN, OVER, SEAT_CREDENTIALS, SECRETS

CHANNEL: Final = "evenodds"
"""Channel of notifications between processes: JSON lists, of events or of presence."""
PROBE_BYTES: Final = 1 << 14
"""Size of the event that a check writes; those of matches are smaller."""
MAX_NOTIFICATION_BYTES: Final = 7_500
"""Largest payload of one notification; PostgreSQL allows just under 8,000 bytes."""
DELETE_SECRETS: Final = delete(SECRETS).where(
    SECRETS.c.match == bindparam("of"), SECRETS.c.round <= bindparam("until")
)
ENCODER: Final = msgspec.json.Encoder()
CONTENT_DECODER: Final = msgspec.json.Decoder(MatchEvent)
INSERT_MATCH, INSERT_EVENT = insert(MATCHES), insert(EVENTS)
INSERT_CREDENTIAL, INSERT_SECRET = insert(SEAT_CREDENTIALS), insert(SECRETS)
UPDATE_MATCH: Final = update(MATCHES).where(MATCHES.c.id == bindparam("of"))
CLEAR_OPENER: Final = UPDATE_MATCH.values(opener=text("''"))
"""The address of the opener is deleted when a match is over."""
SPEND_INVITATION: Final = (
    update(SEAT_CREDENTIALS)
    .where(SEAT_CREDENTIALS.c.match == bindparam("of"), SEAT_CREDENTIALS.c.hash == bindparam("by"))
    .where(SEAT_CREDENTIALS.c.spent.is_(False))
    .values(spent=True)
)
EVENT_COLUMNS: Final = ("match", "seq", "at", "kind", "data")
EventRow = tuple[str, int, float, str, str]
"""A row of `EVENTS`, in the order of those columns."""


class Event(NamedTuple):
    """An event of a match; it contains no secrets."""

    seq: int
    at: float
    content: MatchEvent

    @classmethod
    def of_row(cls, seq: int, at: float, kind: str, data: str) -> "Event":
        """The event in a row of `EVENTS`."""
        return cls(seq, at, CONTENT_DECODER.decode(f'{{"kind":"{kind}",{data[1:]}'))

    @property
    def row(self) -> tuple[int, float, str, str]:
        """Its row of `EVENTS` without the match: sequence number, time, kind, other content."""
        encoded = ENCODER.encode(self.content).decode()
        kind, _, data = encoded.removeprefix('{"kind":"').partition('",')
        return self.seq, self.at, kind, "{" + data


class EventNotification(msgspec.Struct, array_like=True, tag="event"):
    """An event for other processes; `content` is None where it is too long, and must be read."""

    match: str
    seq: int
    at: float
    content: MatchEvent | None


class SeatCredential(NamedTuple):
    """The hash of a seat's token, or of an invitation to it."""

    match: str
    hash: str
    seat: int
    invitation: bool = False
    spent: bool = False


class Secret(NamedTuple):
    """A pick that is not revealed yet; sealed picks have a salt."""

    match: str
    round: int
    seat: int
    number: int
    salt: str


class WriteConflict(Exception):
    """Another process has written first; the decision must be made again.

    `events` are those it has written, where they are known.
    """

    def __init__(self, events: Sequence[Event] = ()) -> None:
        super().__init__("somebody else has written first")
        self.events = events


class LedgerEntry(NamedTuple):
    """An event with all rows of the change to its match, written in one transaction."""

    match: str
    event: Event
    opened: dict[str, Any] | None = None
    """The row of `MATCHES`, for a match that is opened."""
    status: str | None = None
    """A new status of the match."""
    credentials: Sequence[SeatCredential] = ()
    spent_hash: str = ""
    """The hash of the invitation that this spends; it must be unspent."""
    secret: Secret | None = None
    due: float | None = None
    """The earliest time at which a seat can be overdue, where there is a clock."""
    completed_round: int | None = None
    """The last round whose secrets are deleted by this."""

    @property
    def is_plain(self) -> bool:
        """Whether this, as a pick, changes nothing about seats or clocks."""
        return not (self.opened or self.credentials or self.spent_hash) and self.due is None


def write(connection: Connection, entries: Sequence[LedgerEntry]) -> None:
    """Write entries on an open transaction; `WriteConflict` where an invitation is spent.

    All processes insert events in the order of matches, so that no two wait for each other. Where
    another has written first, the primary key of the events refuses the insert.
    """
    entries = sorted(entries, key=attrgetter("match"))
    used = [
        {"of": entry.match, "until": entry.completed_round}
        for entry in entries
        if entry.completed_round is not None
    ]
    changed = [
        {"of": entry.match, "status": entry.status, "touched": entry.event.at}
        for entry in entries
        if entry.status is not None
    ]
    due = [{"of": each.match, "due": each.due} for each in entries if each.due is not None]
    steps: list[tuple[Any, list[dict[str, Any]]]] = [
        (INSERT_MATCH, [entry.opened for entry in entries if entry.opened]),
        (INSERT_EVENT, [dict(zip(EVENT_COLUMNS, row, strict=True)) for row in event_rows(entries)]),
        (INSERT_CREDENTIAL, [each._asdict() for entry in entries for each in entry.credentials]),
        (INSERT_SECRET, [entry.secret._asdict() for entry in entries if entry.secret]),
        (DELETE_SECRETS, used),
        (UPDATE_MATCH, changed),
        (UPDATE_MATCH, due),
        (CLEAR_OPENER, [{"of": row["of"]} for row in changed if row["status"] == OVER]),
    ]
    for statement, rows in steps:
        if rows:
            connection.execute(statement, rows)
    for entry in entries:
        if entry.spent_hash:
            spent = {"of": entry.match, "by": entry.spent_hash}
            if connection.execute(SPEND_INVITATION, spent).rowcount != 1:
                raise WriteConflict


def probe(connection: Connection) -> None:
    """Write rows to all tables of a match, find and delete them again; nobody else sees them.

    The pages that were changed are flushed to disk nevertheless.
    """
    id, now, data = secrets.token_hex(8), time.time(), f'{{"probe":"{"x" * PROBE_BYTES}"}}'
    match = {"id": id, "game": "", "listed": False, "opened": now, "touched": now, "status": OPEN}
    connection.execute(INSERT_MATCH.values(match))
    connection.execute(INSERT_EVENT.values(match=id, seq=1, at=now, kind="probe", data=data))
    connection.execute(INSERT_CREDENTIAL.values(SeatCredential(id, id, 0)._asdict()))
    connection.execute(INSERT_SECRET.values(match=id, round=1, seat=0, number=0))
    for column in (MATCHES.c.id, EVENTS.c.match, SEAT_CREDENTIALS.c.match, SECRETS.c.match):
        connection.execute(delete(column.table).where(column == id))


def notify(connection: Connection, entries: Sequence[LedgerEntry]) -> None:
    """Send notifications of all events; PostgreSQL delivers them after the commit."""
    for _, group in groupby(notifications(event_rows(entries)), itemgetter(0)):
        payload = ",".join(message for _, message in group)
        connection.execute(select(func.pg_notify(CHANNEL, f"[{payload}]")))


def notifications(rows: Iterable[EventRow]) -> Iterator[tuple[int, str]]:
    """For each row an `EventNotification`, and the number of the payload that has room for it."""
    part = size = 0
    for match, seq, at, kind, data in rows:
        head = f'["event","{match}",{seq},{at!r}'
        message = f'{head},{{"kind":"{kind}",{data[1:]}]'
        if len(message.encode()) > MAX_NOTIFICATION_BYTES:
            message = f"{head},null]"
        length = len(message.encode())
        if size + length > MAX_NOTIFICATION_BYTES:
            part, size = part + 1, 0
        size += length + 1
        yield part, message


def event_rows(entries: Iterable[LedgerEntry]) -> list[EventRow]:
    """The rows of `EVENTS` of entries."""
    return [(entry.match, *entry.event.row) for entry in entries]
