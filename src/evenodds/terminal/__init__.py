"""The terminal user interface: screen, keyboard, match loops, reports, saved matches.

The solver is loaded only when it is needed, so that the first prompt comes at once.

May import `arena`, `claims`, `client`, `coach`, `core`, `figures`, `players`, `render`, `solver`,
`study` and `system`; libraries: `rich`.
"""
