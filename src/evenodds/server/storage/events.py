"""Ledger entries: match events and the rows written with them, in one transaction."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from evenodds.server.storage.schema import EVENTS, MATCHES, OVER, SEATS, SECRETS

CHANNEL: Final = "evenodds"
"""Where PostgreSQL tells all processes what has happened: lists of news as JSON."""
MAX_NOTIFICATION_BYTES: Final = 7_500
"""Bytes in one message of PostgreSQL, of the 8,000 that it allows."""
USED: Final = delete(SECRETS).where(
    SECRETS.c.match == bindparam("of"), SECRETS.c.round <= bindparam("until")
)
LAST: Final = (
    select(
        MATCHES.c.id,
        select(func.max(EVENTS.c.seq)).where(EVENTS.c.match == MATCHES.c.id).scalar_subquery(),
    )
    .where(MATCHES.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(MATCHES.c.id)
    .with_for_update(of=MATCHES)
)
MISSED: Final = (
    select(EVENTS.c.match, EVENTS.c.seq, EVENTS.c.at, EVENTS.c.kind, EVENTS.c.data)
    .where(EVENTS.c.match.in_(bindparam("ids", expanding=True)), EVENTS.c.seq >= bindparam("first"))
    .order_by(EVENTS.c.match, EVENTS.c.seq)
)
ENCODER: Final = msgspec.json.Encoder()
CHANGED: Final = update(MATCHES).where(MATCHES.c.id == bindparam("of"))
FORGOTTEN: Final = CHANGED.values(opener="")
"""From where a match was opened, once it is over."""


class Event(msgspec.Struct, frozen=True):
    """Something that has happened in a match; nothing in it is secret."""

    seq: int
    at: float
    kind: str
    data: dict[str, Any]


class EventNotification(msgspec.Struct, array_like=True):
    """An event that other processes hear of; one that is too long for that they must read."""

    match: str
    seq: int
    event: Event | None


class SeatCredential(NamedTuple):
    """What a token or an invitation is for."""

    match: str
    hash: str
    seat: int
    invitation: bool = False
    spent: bool = False


class Secret(NamedTuple):
    """A pick that is not revealed; sealed picks have a salt."""

    match: str
    round: int
    seat: int
    number: int
    salt: str


class WriteConflict(Exception):
    """Somebody else has written first; what was decided must be decided anew.

    `events` are what was written, where that is known.
    """

    def __init__(self, events: Sequence[Event] = ()) -> None:
        super().__init__("somebody else has written first")
        self.events = events


class LedgerEntry(NamedTuple):
    """What is written as a whole or not at all."""

    match: str
    events: Sequence[Event] = ()
    opened: dict[str, Any] | None = None
    """A row of matches, for a match that is opened."""
    status: str | None = None
    """A new status of the match."""
    places: Sequence[SeatCredential] = ()
    spent: str = ""
    """The hash of an invitation that is spent by this, and must not be spent yet."""
    secret: Secret | None = None
    due: float | None = None
    """Before this moment nobody's time is up, where there is a clock."""
    completed: int | None = None
    """A round whose secrets are no longer needed."""


def write(connection: Connection, entries: Sequence[LedgerEntry]) -> None:
    """Write entries within a transaction; `WriteConflict` where an invitation is spent already."""
    places = [place._asdict() for entry in entries for place in entry.places]
    secrets = [entry.secret._asdict() for entry in entries if entry.secret]
    used = [
        {"of": entry.match, "until": entry.completed}
        for entry in entries
        if entry.completed is not None
    ]
    changed = [
        {"of": entry.match, "status": entry.status, "touched": entry.events[-1].at}
        for entry in entries
        if entry.status is not None
    ]
    steps: list[tuple[Any, list[dict[str, Any]]]] = [
        (insert(MATCHES), [entry.opened for entry in entries if entry.opened]),
        (insert(EVENTS), list(_rows(entries))),
        (insert(SEATS), places),
        (insert(SECRETS), secrets),
        (USED, used),
        (CHANGED, changed),
        (
            CHANGED,
            [{"of": each.match, "due": each.due} for each in entries if each.due is not None],
        ),
        (FORGOTTEN, [{"of": row["of"]} for row in changed if row["status"] == OVER]),
    ]
    for statement, rows in steps:
        if rows:
            connection.execute(statement, rows)
    for entry in entries:
        if entry.spent:
            _spend(connection, entry)


def overtaken(connection: Connection, entries: Sequence[LedgerEntry]) -> dict[str, list[Event]]:
    """The matches in which others have written first, and what; nobody overtakes meanwhile.

    Who writes while this waits for them is not seen here, and is noticed when it is written.
    """
    begin = {entry.match: entry.events[0].seq for entry in entries if not entry.opened}
    if not begin:
        return {}
    last = connection.execute(LAST, {"ids": sorted(begin)}).all()
    late = [match for match, seq in last if seq >= begin[match]]
    found: dict[str, list[Event]] = {match: [] for match in late}
    if late:
        first = min(begin[match] for match in late)
        for match, *event in connection.execute(MISSED, {"ids": late, "first": first}):
            if event[0] >= begin[match]:
                found[match].append(Event(*event))
    return found


def notify(connection: Connection, entries: Sequence[LedgerEntry]) -> None:
    """Let PostgreSQL tell all processes what has happened, once it is on disk."""
    waiting: list[bytes] = []
    for entry in entries:
        for event in entry.events:
            word = ENCODER.encode(EventNotification(entry.match, event.seq, event))
            if len(word) > MAX_NOTIFICATION_BYTES:
                word = ENCODER.encode(EventNotification(entry.match, event.seq, None))
            if (
                waiting
                and sum(map(len, waiting)) + len(waiting) + len(word) > MAX_NOTIFICATION_BYTES
            ):
                _say(connection, waiting)
                waiting = []
            waiting.append(word)
    if waiting:
        _say(connection, waiting)


def _say(connection: Connection, words: list[bytes]) -> None:
    news = b"[%b]" % b",".join(words)
    connection.execute(select(func.pg_notify(CHANNEL, news.decode())))


def _spend(connection: Connection, entry: LedgerEntry) -> None:
    mine = (SEATS.c.match == entry.match) & (SEATS.c.hash == entry.spent)
    spend = update(SEATS).where(mine, SEATS.c.spent.is_(False)).values(spent=True)
    if connection.execute(spend).rowcount != 1:
        raise WriteConflict


def _rows(entries: Iterable[LedgerEntry]) -> Iterable[dict[str, Any]]:
    for entry in entries:
        for event in entry.events:
            yield {"match": entry.match, **msgspec.structs.asdict(event)}
