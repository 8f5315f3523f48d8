"""Exact analysis of a game under some rulings: metrics, claims, verdict, sweeps, report pages."""
