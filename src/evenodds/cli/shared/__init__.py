"""Shared by all commands: the click group, options, output streams, workers.

May import `claims`, `core`, `players`, `system`, `terminal` and `workers`; libraries: `click`.
"""
