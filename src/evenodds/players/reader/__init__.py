"""The reader: an opponent model of a person's habits, its storage, and bounded exploitation.

May import `core`, `figures`, `solver` and `system`; `players.player`.
"""
