"""Matches and puzzles in the terminal: menu, session, dialog, replay, training."""
