"""Migration scripts, in order."""
