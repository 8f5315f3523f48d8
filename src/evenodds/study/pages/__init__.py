"""Self-contained HTML pages of studies: the report of one game, and a comparison.

They are built from finished studies; nothing is solved here.

May import `claims`, `core`, `figures`, `players` and `render`; `study.claims` and `study.wording`.
"""
