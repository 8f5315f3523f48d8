"""Shared by commands: options, errors, files, output streams, workers.

May import `app`, `core`, `players`, `system`, `terminal` and `workers`; libraries: `click`.
"""
