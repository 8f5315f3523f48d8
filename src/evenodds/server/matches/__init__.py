"""Matches on the server: registry, sessions, state folded from events, referee, computers.

A process holds a match in memory as a `MatchSession`; the event log of `server.storage` is the
truth.

May import `core`, `players`, `protocol`, `render`, `solver` and `system`; `server.jobs`,
`server.logs`, `server.rate_limits`, `server.schemas`, `server.settings` and `server.storage`;
libraries: `msgspec` and `sqlalchemy`.
"""
