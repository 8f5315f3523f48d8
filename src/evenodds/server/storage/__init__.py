"""Persistence: database backends, schema, event log, batched writes.

`connect` opens a database; `ledger.Ledger` reads and writes matches in it.
"""
