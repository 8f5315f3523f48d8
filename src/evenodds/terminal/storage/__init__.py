"""Files of the terminal user interface: saved matches and match records.

May import `core`, `players` and `system`.
"""
