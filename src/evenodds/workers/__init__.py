"""Whoever does work that comes in many parts: processes on this machine, or a cluster."""
