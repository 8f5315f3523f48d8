"""The computer opponents: registry, levels, search, reader, external programs, language models.

A player gets the view of its seat and nothing else.
"""
