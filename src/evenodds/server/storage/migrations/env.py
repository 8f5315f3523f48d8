"""Alembic's door to the database: a connection is handed in by the one who migrates."""

from alembic import context

from evenodds.server.storage.schema import METADATA

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
