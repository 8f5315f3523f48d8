"""Shared by commands: options, errors, files, output streams, workers.

May import `core`, `players`, `system`, `terminal` and `workers`; libraries: `click`.
"""
