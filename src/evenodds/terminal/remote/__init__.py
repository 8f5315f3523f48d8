"""A match on a server, at this keyboard."""
