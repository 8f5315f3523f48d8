"""Dialogs of the terminal in a thread: matches and puzzles that report to a screen of the app."""
