"""Matches on the server: registry, sessions, state folded from events, referee, computers.

A process holds a match in memory as a `MatchSession`; the event log of `server.storage` is the
truth.
"""
