"""Exact analysis of a game under some rulings: metrics, claims, verdict, sweeps, report pages.

From below: `solved`, `metrics`, `study` (all of them together), `wording`, `claims`, `report`;
pages and sweeps are built on these.
"""
