"""Local matches in the terminal: menu, session, match loop, commands, replay, training.

May import `claims`, `coach`, `core`, `figures`, `players`, `render`, `solver` and `system`;
`terminal.keyboard`, `terminal.progress_bar`, `terminal.reports`, `terminal.screen`,
`terminal.solving` and `terminal.storage`.
"""
