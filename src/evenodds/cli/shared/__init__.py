"""Shared by all commands: the click group, options, output streams, workers."""
