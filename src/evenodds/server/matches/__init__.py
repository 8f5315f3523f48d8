"""Matches on the server: registry, state folded from events, referee, notifications."""
