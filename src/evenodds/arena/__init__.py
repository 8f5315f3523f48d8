"""Tournaments between players: schedule, bouts, exact scores, ratings, result tables, archive.

The terminal shows what it returns.

May import `coach`, `core`, `figures`, `graph`, `players`, `policy`, `solver`, `system` and
`workers`; libraries: `msgspec` and `numpy`.
"""
