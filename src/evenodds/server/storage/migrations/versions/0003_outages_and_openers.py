"""Migration: heartbeat, outages, and the address that opened a match."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the heartbeat, the outages, and the address that opened a match."""
    alive = op.create_table("alive", sa.Column("at", sa.Float, nullable=False))
    op.bulk_insert(alive, [{"at": time.time()}])
    op.create_table(
        "outages",
        sa.Column("ended", sa.Float, primary_key=True),
        sa.Column("began", sa.Float, nullable=False),
    )
    opener = sa.Column("opener", sa.String(64), nullable=False, server_default="")
    op.add_column("matches", opener)
    op.create_index("matches_by_opener", "matches", ["opener", "status"])
