"""The full-screen game for terminals, made with Textual: screens, boards, panels.

A match runs as the dialog of `terminal` in a thread; a screen shows what the dialog says and types
its lines. So rules, sentences, saved matches and commands are those of the dialog.
"""
