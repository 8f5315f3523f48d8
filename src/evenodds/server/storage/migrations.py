"""Creates the tables, or migrates those of an older database with Alembic's operations.

A step changes tables as they were then, so it does not use those of `schema`.
"""

import json
import time
from collections.abc import Callable
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Column

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
    """Run the steps after a revision, or all of them."""
    from alembic.migration import MigrationContext  # slow to import, and seldom needed
    from alembic.operations import Operations

    if current is None:
        ALEMBIC_VERSION.create(connection)
        connection.execute(ALEMBIC_VERSION.insert().values(version_num=""))
    elif current not in STEPS:
        raise NewerVersion(
            "the database was made by a newer version of Even Odds; it is left alone"
        )
    operations = Operations(MigrationContext.configure(connection))
    for revision, step in STEPS.items():
        if revision > (current or ""):
            step(operations)
            connection.execute(sa.update(ALEMBIC_VERSION).values(version_num=revision))


def _revision(connection: sa.Connection) -> str | None:
    """The revision of the database; None where there are no tables."""
    if not sa.inspect(connection).has_table(ALEMBIC_VERSION.name):
        return None
    return connection.execute(sa.select(ALEMBIC_VERSION.c.version_num)).scalar()


def _create_matches(op: Any) -> None:
    """Tables of matches, events, seats and secret picks."""
    op.create_table(
        "matches",
        Column("id", sa.String(16), primary_key=True),
        Column("game", sa.String(64), nullable=False),
        Column("listed", sa.Boolean, nullable=False),
        Column("opened", sa.Float, nullable=False),
        Column("touched", sa.Float, nullable=False),
        Column("status", sa.String(16), nullable=False),
    )
    op.create_index("matches_by_status", "matches", ["status", "touched"])
    op.create_table(
        "events",
        Column("match", sa.String(16), nullable=False),
        Column("seq", sa.Integer, nullable=False),
        Column("at", sa.Float, nullable=False),
        Column("kind", sa.String(16), nullable=False),
        Column("data", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("match", "seq"),
    )
    op.create_table(
        "seats",
        Column("hash", sa.String(64), primary_key=True),
        Column("match", sa.String(16), nullable=False),
        Column("seat", sa.Integer, nullable=False),
        Column("invitation", sa.Boolean, nullable=False),
        Column("spent", sa.Boolean, nullable=False),
    )
    op.create_index("seats_by_match", "seats", ["match"])
    op.create_table(
        "secrets",
        Column("match", sa.String(16), nullable=False),
        Column("round", sa.Integer, nullable=False),
        Column("seat", sa.Integer, nullable=False),
        Column("number", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("match", "round", "seat"),
    )


def _add_rematches_and_salts(op: Any) -> None:
    """Key seats by match and hash, so that tokens hold in rematches; salts of sealed picks."""
    op.drop_index("seats_by_match", "seats")
    op.rename_table("seats", "seats_before")
    op.create_table(
        "seats",
        Column("match", sa.String(16), nullable=False),
        Column("hash", sa.String(64), nullable=False),
        Column("seat", sa.Integer, nullable=False),
        Column("invitation", sa.Boolean, nullable=False),
        Column("spent", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("match", "hash", name="seats_by_match_and_hash"),
    )
    columns = "match, hash, seat, invitation, spent"
    op.execute(f"INSERT INTO seats ({columns}) SELECT {columns} FROM seats_before")
    op.drop_table("seats_before")
    op.create_index("seats_by_hash", "seats", ["hash"])
    op.add_column("secrets", Column("salt", sa.String(64), nullable=False, server_default=""))


def _add_outages_and_openers(op: Any) -> None:
    """Heartbeat, outages, and the address that opened a match."""
    alive = op.create_table("alive", Column("at", sa.Float, nullable=False))
    op.bulk_insert(alive, [{"at": time.time()}])
    op.create_table(
        "outages",
        Column("ended", sa.Float, primary_key=True),
        Column("began", sa.Float, nullable=False),
    )
    op.add_column("matches", Column("opener", sa.String(64), nullable=False, server_default=""))
    op.create_index("matches_by_opener", "matches", ["opener", "status"])


def _add_clocks(op: Any) -> None:
    """When a clock may run out; 0 for open matches with one, so that they are checked at once."""
    op.add_column("matches", Column("due", sa.Float, nullable=True))
    op.create_index("matches_by_due", "matches", ["status", "due"])
    connection = op.get_bind()
    opened = "SELECT m.id, e.data FROM matches m JOIN events e ON e.match = m.id AND e.seq = 1"
    for id, data in connection.execute(sa.text(f"{opened} WHERE m.status <> 'over'")).all():
        if (json.loads(data) if isinstance(data, str) else data)["clock"]:
            connection.execute(sa.text("UPDATE matches SET due = 0 WHERE id = :id"), {"id": id})


STEPS: Final[dict[str, Callable[[Any], None]]] = {
    "0001": _create_matches,
    "0002": _add_rematches_and_salts,
    "0003": _add_outages_and_openers,
    "0004": _add_clocks,
}
"""The steps by the revision that each leads to; together they lead to the tables of `schema`."""
REVISION: Final = max(STEPS)
