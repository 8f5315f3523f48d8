"""Migration: when a clock may run out, so that unwatched matches end too."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
OPENED_EVENTS = "SELECT m.id, e.data FROM matches m JOIN events e ON e.match = m.id AND e.seq = 1"


def upgrade() -> None:
    """Add `due`; 0 for open matches with a clock, so that they are checked at once."""
    op.add_column("matches", sa.Column("due", sa.Float, nullable=True))
    op.create_index("matches_by_due", "matches", ["status", "due"])
    connection = op.get_bind()
    rows = connection.execute(sa.text(f"{OPENED_EVENTS} WHERE m.status <> 'over'")).all()
    for id, data in rows:
        opened = json.loads(data) if isinstance(data, str) else data
        if opened["clock"]:
            connection.execute(sa.text("UPDATE matches SET due = 0 WHERE id = :id"), {"id": id})
