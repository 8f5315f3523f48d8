"""Local matches in the terminal: menu, session, match loop, commands, replay, training."""
