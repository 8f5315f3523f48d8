"""The full-screen game for terminals, made with Textual: screens, boards, panels.

A screen awaits a table of `table`, here or on a server, and shows what happens there in its own
words; nothing that takes long is waited for.
"""
