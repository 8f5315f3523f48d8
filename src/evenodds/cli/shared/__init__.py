"""Shared by commands: options, errors, files, output streams, workers."""
