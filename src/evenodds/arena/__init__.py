"""Tournaments between players: schedule, bouts, exact scores, ratings and tables."""
