"""What is written of a match: events and what goes with them, as a whole or not at all."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from evenodds.server.schema import EVENTS, MATCHES, SEATS, SECRETS

CHANNEL: Final = "evenodds"
"""Where PostgreSQL tells all processes which matches have changed: `ID:SEQ ID:SEQ`."""
USED: Final = delete(SECRETS).where(
    SECRETS.c.match == bindparam("of"), SECRETS.c.round <= bindparam("until")
)
CHANGED: Final = update(MATCHES).where(MATCHES.c.id == bindparam("of"))


class Event(msgspec.Struct, frozen=True):
    """Something that has happened in a match; nothing in it is secret."""

    seq: int
    at: float
    kind: str
    data: dict[str, Any]


class Place(NamedTuple):
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


class Conflict(Exception):
    """Somebody else has written first; what was decided must be decided anew."""


class Unwritable(Exception):
    """The database does not take it, and why; nothing was written."""


class Entry(NamedTuple):
    """What is written as a whole or not at all."""

    match: str
    events: Sequence[Event] = ()
    opened: dict[str, Any] | None = None
    """A row of matches, for a match that is opened."""
    status: str | None = None
    """A new status of the match."""
    places: Sequence[Place] = ()
    spent: str = ""
    """The hash of an invitation that is spent by this, and must not be spent yet."""
    secret: Secret | None = None
    completed: int | None = None
    """A round whose secrets are no longer needed."""


async def write(connection: AsyncConnection, entries: Sequence[Entry]) -> None:
    """Write entries within a transaction; `Conflict` where an invitation is spent already."""
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
    ]
    for statement, rows in steps:
        if rows:
            await connection.execute(statement, rows)
    for entry in entries:
        if entry.spent:
            await _spend(connection, entry)
    if connection.dialect.name == "postgresql":
        news = " ".join(f"{entry.match}:{entry.events[-1].seq}" for entry in entries)
        await connection.execute(select(func.pg_notify(CHANNEL, news)))


async def _spend(connection: AsyncConnection, entry: Entry) -> None:
    mine = (SEATS.c.match == entry.match) & (SEATS.c.hash == entry.spent)
    spend = update(SEATS).where(mine, SEATS.c.spent.is_(False)).values(spent=True)
    if (await connection.execute(spend)).rowcount != 1:
        raise Conflict


def _rows(entries: Iterable[Entry]) -> Iterable[dict[str, Any]]:
    for entry in entries:
        for event in entry.events:
            yield {"match": entry.match, **msgspec.structs.asdict(event)}
