"""Persistence: database backends, schema and migrations, event log, batched writes.

`connect` opens a database; `ledger.Ledger` reads and writes matches in it.

May import `protocol` and `system`; `server.jobs` and `server.logs`; libraries: `alembic`,
`asyncpg`, `msgspec` and `sqlalchemy`.
"""
