"""Alembic migrations of the server's database.

May import `server.storage.schema`; libraries: `alembic` and `sqlalchemy`.
"""
