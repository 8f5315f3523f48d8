"""Sweeps over rulings: every combination solved and measured; and repairs, which search with them.

May import `claims`, `core`, `figures`, `graph`, `players`, `render`, `solver`, `system` and
`workers`; `study.claims`, `study.metrics` and `study.solved`.
"""
