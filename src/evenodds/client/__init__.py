"""A match on a server, seen from here: where it is, what is told of it, what may be done there."""
