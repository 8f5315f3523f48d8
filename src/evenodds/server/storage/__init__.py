"""Persistence: database backends, schema and migrations, event log, batched writes."""
