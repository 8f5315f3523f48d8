"""Persistence: database backends, schema and migrations, event log, batched writes.

`connect` opens a database; `ledger.Ledger` reads and writes matches in it. This package imports
`server.jobs` and `server.logs` of the server, and nothing of matches, HTTP or routes.
"""
