"""A study as web pages that need nothing else: the report of a game, and several side by side."""
