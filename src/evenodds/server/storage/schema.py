"""Database schema: matches, events, seat credentials, secret picks, outages."""

from typing import Final

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
)

METADATA: Final = MetaData()
REVISION: Final = "0004"
"""That of these tables, as they stand since release 0.2."""
OPEN: Final = "open"
OVER: Final = "over"
ARCHIVED: Final = "archived"
"""Open, but unused for a long time."""

MATCHES: Final = Table(
    "matches",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("opened", Float, nullable=False),
    Column("touched", Float, nullable=False),
    Column("status", String(16), nullable=False),
    Column("opener", String(64), nullable=False, server_default=""),
    Column("due", Float),
    Index("matches_by_status", "status", "touched"),
    Index("matches_by_opener", "opener", "status"),
    Index("matches_by_due", "status", "due"),
)
"""What lists, limits and housekeeping query; all else is in the events. `opener`, an address, is
cleared when the match is over. No seat is overdue before `due`. `touched` is the time of the last
write or, for a listed match, when it was last attended."""

EVENTS: Final = Table(
    "events",
    METADATA,
    Column("match", String(16), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("at", Float, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("data", JSON, nullable=False),
    PrimaryKeyConstraint("match", "seq"),
)
"""The event log, without secrets. The primary key refuses the second of two processes that append
the same `seq`, so that a match has one history."""

SEAT_CREDENTIALS: Final = Table(
    "seats",
    METADATA,
    Column("match", String(16), nullable=False),
    Column("hash", String(64), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("invitation", Boolean, nullable=False),
    Column("spent", Boolean, nullable=False),
    PrimaryKeyConstraint("match", "hash", name="seats_by_match_and_hash"),
    Index("seats_by_hash", "hash"),
)
"""Credentials of seats: hashes of tokens and of invitations. A rematch copies the hashes, so that
a token is valid in all matches of a series."""

SECRETS: Final = Table(
    "secrets",
    METADATA,
    Column("match", String(16), nullable=False),
    Column("round", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("salt", String(64), nullable=False, server_default=""),
    PrimaryKeyConstraint("match", "round", "seat"),
)
"""Picks of incomplete rounds. Only the code that completes a round reads this table."""

HEARTBEAT: Final = Table("alive", METADATA, Column("at", Float, nullable=False))
"""One row: the time of the last heartbeat of any process."""

OUTAGES: Final = Table(
    "outages",
    METADATA,
    Column("ended", Float, primary_key=True),
    Column("began", Float, nullable=False),
)
"""Times in which no process served."""

ALEMBIC_VERSION: Final = Table(
    "alembic_version",
    METADATA,
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""One row: the revision of this database, in the table that Alembic uses."""
