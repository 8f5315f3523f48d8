"""The computer opponents: registry, levels, search, reader, external programs, language models.

A player gets the view of its seat and nothing else. May import `coach`, `workers`, `policy` and all
below them; not `adapters`, `study`, `arena` or the user interfaces.
"""
