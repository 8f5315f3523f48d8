"""Self-contained HTML pages of studies: the report of one game, and a comparison.

They are built from finished studies; nothing is solved here.
"""
