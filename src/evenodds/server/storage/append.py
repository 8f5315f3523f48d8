"""Statements of each pick on PostgreSQL: append events of many matches, read secret picks.

Events are appended in one statement, which is one round trip and one commit.

Written for the driver, not for SQLAlchemy: most of what a server does is this statement, and a
transaction of several would keep its locks while a process that was stopped does not commit it.
"""

from collections.abc import Sequence
from typing import Any, Final

from evenodds.server.storage.ledger_entries import (
    CHANNEL,
    Event,
    LedgerEntry,
    Secret,
    notifications,
)
from evenodds.server.storage.schema import OVER

APPEND: Final = f"""
WITH given AS (
  SELECT * FROM unnest($1::text[], $2::int[], $3::float8[], $4::text[], $5::text[],
    $6::int[], $7::text[]) AS given(match, seq, at, kind, data, part, message)
), taken AS (
  INSERT INTO events (match, seq, at, kind, data)
  SELECT match, seq, at, kind, data::json FROM given ORDER BY match
  ON CONFLICT DO NOTHING RETURNING match
), added AS (
  INSERT INTO secrets (match, round, seat, number, salt)
  SELECT * FROM unnest($8::text[], $9::int[], $10::int[], $11::int[], $12::text[])
    AS new(match, round, seat, number, salt) WHERE match IN (SELECT match FROM taken)
), deleted AS (
  DELETE FROM secrets USING unnest($13::text[], $14::int[]) AS used(match, until)
  WHERE secrets.match = used.match AND secrets.round <= used.until
    AND used.match IN (SELECT match FROM taken)
), changed AS (
  UPDATE matches SET status = new.status, touched = new.at,
    opener = CASE new.status WHEN '{OVER}' THEN '' ELSE opener END
  FROM unnest($15::text[], $16::text[], $17::float8[]) AS new(match, status, at)
  WHERE matches.id = new.match AND new.match IN (SELECT match FROM taken)
)
SELECT array_agg(match), pg_notify('{CHANNEL}', '[' || string_agg(message, ',') || ']')
FROM given JOIN taken USING (match) GROUP BY part
"""
"""Each match has one event here. One whose number is there already is left out, with all that
belongs to it: another process has written first. While that has not committed, this waits for it;
all processes insert in the order of ids, so that no two wait for each other."""
EVENTS_SINCE: Final = """
SELECT events.match, seq, at, kind, data::text
FROM events JOIN unnest($1::text[], $2::int[]) AS missed(match, first)
  ON events.match = missed.match AND events.seq >= missed.first
ORDER BY events.match, seq
"""
SECRETS_OF: Final = f"SELECT {', '.join(Secret._fields)} FROM secrets WHERE match = ANY($1::text[])"


async def secrets_of(connection: Any, matches: Sequence[str]) -> Sequence[Any]:
    """The rows of secrets of some matches."""
    rows: Sequence[Any] = await connection.fetch(SECRETS_OF, matches)
    return rows


async def append(connection: Any, entries: Sequence[LedgerEntry]) -> dict[str, list[Event]]:
    """Append plain entries of different matches; for those that conflict, the events there."""
    events = [(entry.match, entry.events[0]) for entry in entries]
    written = [(match, *event.row) for match, event in events]
    rows = [(*row, *sent) for row, sent in zip(written, notifications(written), strict=True)]
    secrets = [entry.secret for entry in entries if entry.secret]
    used = [
        (entry.match, entry.completed_round)
        for entry in entries
        if entry.completed_round is not None
    ]
    changed = [(entry.match, entry.status, entry.events[0].at) for entry in entries if entry.status]
    columns = (*_columns(rows, 7), *_columns(secrets, 5), *_columns(used, 2), *_columns(changed, 3))
    found = await connection.fetch(APPEND, *columns)
    taken = {match for matches, _ in found for match in matches}
    return await _events_since(connection, [each for each in events if each[0] not in taken])


async def _events_since(
    connection: Any, refused: Sequence[tuple[str, Event]]
) -> dict[str, list[Event]]:
    """The events that another process has written, by match."""
    found: dict[str, list[Event]] = {match: [] for match, _ in refused}
    if refused:
        first = [(match, event.seq) for match, event in refused]
        for match, *row in await connection.fetch(EVENTS_SINCE, *_columns(first, 2)):
            found[match].append(Event.of_row(*row))
    return found


def _columns(rows: Sequence[Sequence[Any]], count: int) -> Sequence[Sequence[Any]]:
    """Rows as columns, each of which is an array for the driver."""
    return list(zip(*rows, strict=True)) if rows else [()] * count
