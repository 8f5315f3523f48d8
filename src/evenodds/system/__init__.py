"""Paths, files, locks, text from outside, and the network."""
