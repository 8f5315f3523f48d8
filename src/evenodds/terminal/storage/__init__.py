"""Matches and records on disk."""
