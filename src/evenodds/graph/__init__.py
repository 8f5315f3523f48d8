"""Positions and transitions of a game, and the tables that are kept of them on disk."""
