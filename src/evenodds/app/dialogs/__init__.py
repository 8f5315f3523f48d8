"""Dialogs of the terminal in a thread: matches and puzzles that report to a screen of the app.

May import `client`, `coach`, `core`, `players`, `render`, `solver`, `study`, `system` and
`terminal`; libraries: `rich` and `textual`.
"""
