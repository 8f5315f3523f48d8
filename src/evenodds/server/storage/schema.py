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
"""The last of the `migrations`: what they make of an older database is what stands here."""
OPEN: Final = "open"
OVER: Final = "over"
ARCHIVED: Final = "archived"
"""Open, but nobody has come for a long time."""

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
"""What lists, limits and housekeeping need to know; all else is in the events. The address that
opened a match is forgotten when it is over. Before `due` nobody's time is up; `touched` is when
something was written here or, of a match that is listed, when somebody was last there."""

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
"""Everything that has happened, and nothing that is secret. Of two processes that append the same
number one is refused, so that a match has one history."""

SEATS: Final = Table(
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
"""Who may sit where: hashes of tokens and of invitations, never the things themselves. A token is
good for all matches that follow one another as rematches."""

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
"""Picks of rounds that are not complete. Only what completes a round reads this table."""

HEARTBEAT: Final = Table("alive", METADATA, Column("at", Float, nullable=False))
"""One row: when a process last said that it serves."""

OUTAGES: Final = Table(
    "outages",
    METADATA,
    Column("ended", Float, primary_key=True),
    Column("began", Float, nullable=False),
)
"""When no process served."""

VERSION: Final = Table(
    "alembic_version",
    METADATA,
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""One row: the last migration of this database. Alembic makes this table where it migrates."""
