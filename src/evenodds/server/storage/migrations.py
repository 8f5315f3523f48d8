"""Creates the tables, or migrates those of an older database."""

import json
import time
from typing import Final

import sqlalchemy as sa

from evenodds.server.storage.schema import ALEMBIC_VERSION, HEARTBEAT, METADATA


class NewerVersion(ValueError):
    """The database was made by a newer version."""


def migrate(connection: sa.Connection) -> None:
    """Create or upgrade the tables; `NewerVersion` where they are newer than this code."""
    if _revision(connection) == REVISION:
        return
    if connection.dialect.name == "postgresql":
        # Processes that start at once take turns here; the first migrates, the others look again.
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(5176)")
    current = _revision(connection)
    if current is None:
        create(connection)
    elif current != REVISION:
        upgrade(connection, current)


def create(connection: sa.Connection) -> None:
    """Create all tables in their current form, in one transaction."""
    if connection.dialect.name == "sqlite":  # its driver begins none before CREATE TABLE
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    METADATA.create_all(connection, checkfirst=False)
    connection.execute(HEARTBEAT.insert().values(at=time.time()))
    connection.execute(ALEMBIC_VERSION.insert().values(version_num=REVISION))


def upgrade(connection: sa.Connection, current: str | None) -> None:
    """Take the steps after a revision, or all of them."""
    if current is None:
        ALEMBIC_VERSION.create(connection)
        connection.execute(ALEMBIC_VERSION.insert().values(version_num=""))
    elif current not in STEPS:
        raise NewerVersion(
            "the database was made by a newer version of Even Odds; it is left alone"
        )
    for revision, statements in STEPS.items():
        if revision > (current or ""):
            for statement in statements:
                values = {"now": time.time()} if ":now" in statement else {}
                connection.execute(sa.text(statement), values)
            connection.execute(sa.update(ALEMBIC_VERSION).values(version_num=revision))
    if (current or "") < "0004":
        _mark_clocks(connection)


def _revision(connection: sa.Connection) -> str | None:
    """The revision of the database; None where there are no tables."""
    if not sa.inspect(connection).has_table(ALEMBIC_VERSION.name):
        return None
    return connection.execute(sa.select(ALEMBIC_VERSION.c.version_num)).scalar()


def _mark_clocks(connection: sa.Connection) -> None:
    """Set `due` of open matches with a clock, so that they are checked at once."""
    opened = "SELECT m.id, e.data FROM matches m JOIN events e ON e.match = m.id AND e.seq = 1"
    for id, data in connection.execute(sa.text(f"{opened} WHERE m.status <> 'over'")).all():
        if (json.loads(data) if isinstance(data, str) else data)["clock"]:
            connection.execute(sa.text("UPDATE matches SET due = 0 WHERE id = :id"), {"id": id})


STEPS: Final = {
    "0001": (
        "CREATE TABLE matches (id VARCHAR(16) NOT NULL PRIMARY KEY, game VARCHAR(64) NOT NULL,"
        " listed BOOLEAN NOT NULL, opened FLOAT NOT NULL, touched FLOAT NOT NULL,"
        " status VARCHAR(16) NOT NULL)",
        "CREATE INDEX matches_by_status ON matches (status, touched)",
        "CREATE TABLE events (match VARCHAR(16) NOT NULL, seq INTEGER NOT NULL, at FLOAT NOT NULL,"
        " kind VARCHAR(16) NOT NULL, data JSON NOT NULL, PRIMARY KEY (match, seq))",
        "CREATE TABLE seats (hash VARCHAR(64) NOT NULL PRIMARY KEY, match VARCHAR(16) NOT NULL,"
        " seat INTEGER NOT NULL, invitation BOOLEAN NOT NULL, spent BOOLEAN NOT NULL)",
        "CREATE INDEX seats_by_match ON seats (match)",
        "CREATE TABLE secrets (match VARCHAR(16) NOT NULL, round INTEGER NOT NULL,"
        " seat INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (match, round, seat))",
    ),
    "0002": (  # tokens that hold in rematches, salts of sealed picks
        "DROP INDEX seats_by_match",
        "ALTER TABLE seats RENAME TO seats_before",
        "CREATE TABLE seats (match VARCHAR(16) NOT NULL, hash VARCHAR(64) NOT NULL,"
        " seat INTEGER NOT NULL, invitation BOOLEAN NOT NULL, spent BOOLEAN NOT NULL,"
        " CONSTRAINT seats_by_match_and_hash PRIMARY KEY (match, hash))",
        "INSERT INTO seats SELECT match, hash, seat, invitation, spent FROM seats_before",
        "DROP TABLE seats_before",
        "CREATE INDEX seats_by_hash ON seats (hash)",
        "ALTER TABLE secrets ADD COLUMN salt VARCHAR(64) DEFAULT '' NOT NULL",
    ),
    "0003": (  # heartbeat, outages, and the address that opened a match
        "CREATE TABLE alive (at FLOAT NOT NULL)",
        "INSERT INTO alive VALUES (:now)",
        "CREATE TABLE outages (ended FLOAT NOT NULL PRIMARY KEY, began FLOAT NOT NULL)",
        "ALTER TABLE matches ADD COLUMN opener VARCHAR(64) DEFAULT '' NOT NULL",
        "CREATE INDEX matches_by_opener ON matches (opener, status)",
    ),
    "0004": (  # when a clock may run out
        "ALTER TABLE matches ADD COLUMN due FLOAT",
        "CREATE INDEX matches_by_due ON matches (status, due)",
    ),
}
"""The steps by the revision that each leads to; together they lead to the tables of `schema`."""
REVISION: Final = max(STEPS)
