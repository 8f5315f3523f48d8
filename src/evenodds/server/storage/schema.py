"""Database schema: matches, events, seat credentials, secret picks, outages."""

from typing import Final

import sqlalchemy as sa

METADATA: Final = sa.MetaData()
REVISION: Final = "0004"
"""That of these tables, as they stand since release 0.2."""
OPEN: Final = "open"
OVER: Final = "over"
ARCHIVED: Final = "archived"
"""Open, but unused for a long time."""

MATCHES: Final = sa.Table(
    "matches",
    METADATA,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("opened", sa.Float, nullable=False),
    sa.Column("touched", sa.Float, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("opener", sa.String(64), nullable=False, server_default=""),
    sa.Column("due", sa.Float),
    sa.Index("matches_by_status", "status", "touched"),
    sa.Index("matches_by_opener", "opener", "status"),
    sa.Index("matches_by_due", "status", "due"),
)
"""What lists, limits and housekeeping query; all else is in the events. `opener`, an address, is
cleared when the match is over. No seat is overdue before `due`. `touched` is the time of the last
write or, for a listed match, when it was last attended."""

EVENTS: Final = sa.Table(
    "events",
    METADATA,
    sa.Column("match", sa.String(16), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("data", sa.JSON, nullable=False),
)
"""The event log, without secrets. The primary key refuses the second of two processes that append
the same `seq`, so that a match has one history."""

SEAT_CREDENTIALS: Final = sa.Table(
    "seats",
    METADATA,
    sa.Column("match", sa.String(16), nullable=False),
    sa.Column("hash", sa.String(64), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("invitation", sa.Boolean, nullable=False),
    sa.Column("spent", sa.Boolean, nullable=False),
    sa.PrimaryKeyConstraint("match", "hash", name="seats_by_match_and_hash"),
    sa.Index("seats_by_hash", "hash"),
)
"""Credentials of seats: hashes of tokens and of invitations. A rematch copies the hashes, so that
a token is valid in all matches of a series."""

SECRETS: Final = sa.Table(
    "secrets",
    METADATA,
    sa.Column("match", sa.String(16), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("salt", sa.String(64), nullable=False, server_default=""),
)
"""Picks of incomplete rounds. Only the code that completes a round reads this table."""

HEARTBEAT: Final = sa.Table("alive", METADATA, sa.Column("at", sa.Float, nullable=False))
"""One row: the time of the last heartbeat of any process."""

OUTAGES: Final = sa.Table(
    "outages",
    METADATA,
    sa.Column("ended", sa.Float, primary_key=True),
    sa.Column("began", sa.Float, nullable=False),
)
"""Times in which no process served."""

ALEMBIC_VERSION: Final = sa.Table(
    "alembic_version",
    METADATA,
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""One row: the revision of this database, in the table that Alembic uses."""
