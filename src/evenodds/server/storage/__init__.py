"""Persistence: database backends, schema and migrations, event log, batched writes.

`connect` opens a database; `ledger.Ledger` reads and writes matches in it.
"""
