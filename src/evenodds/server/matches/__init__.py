"""Matches on the server: their registry, their state from events, and who hears of them."""
