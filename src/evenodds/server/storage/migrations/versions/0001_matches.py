"""Migration: tables of matches, events, seats and secret picks."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the first tables."""
    op.create_table(
        "matches",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("opened", sa.Float, nullable=False),
        sa.Column("touched", sa.Float, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
    )
    op.create_index("matches_by_status", "matches", ["status", "touched"])
    op.create_table(
        "events",
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("match", "seq"),
    )
    op.create_table(
        "seats",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("invitation", sa.Boolean, nullable=False),
        sa.Column("spent", sa.Boolean, nullable=False),
    )
    op.create_index("seats_by_match", "seats", ["match"])
    op.create_table(
        "secrets",
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("match", "round", "seat"),
    )
