"""Matches on a server, played or watched from the terminal, over `evenodds.client`.

May import `client`, `core` and `figures`; `terminal.keyboard`, `terminal.play`, `terminal.screen`
and `terminal.storage`.
"""
