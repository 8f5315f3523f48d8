"""Alembic environment: runs the migrations on the connection that it is given."""

from alembic import context

from evenodds.server.storage.schema import METADATA

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
