"""A match at this keyboard."""
