"""Migration: seat tokens valid across rematches, salts of sealed picks."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Key seats by match and hash; add the salt of a secret pick."""
    op.drop_index("seats_by_match", "seats")
    op.rename_table("seats", "seats_before")
    op.create_table(
        "seats",
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("invitation", sa.Boolean, nullable=False),
        sa.Column("spent", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("match", "hash", name="seats_by_match_and_hash"),
    )
    columns = "match, hash, seat, invitation, spent"
    op.execute(f"INSERT INTO seats ({columns}) SELECT {columns} FROM seats_before")
    op.drop_table("seats_before")
    op.create_index("seats_by_hash", "seats", ["hash"])
    salt = sa.Column("salt", sa.String(64), nullable=False, server_default="")
    op.add_column("secrets", salt)
