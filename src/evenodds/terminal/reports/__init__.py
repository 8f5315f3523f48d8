"""Text reports of results, one module for each command that prints them: they compute nothing.

May import `arena`, `claims`, `coach`, `core`, `figures`, `players`, `render`, `study` and `system`;
`terminal.progress_bar`, `terminal.screen`, `terminal.storage` and `terminal.tables`;
libraries: `rich`.
"""
