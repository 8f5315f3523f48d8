"""Tournaments between players: schedule, bouts, exact scores, ratings, result tables, archive.

The terminal shows what it returns.
"""
