"""Exact analysis of a game under some rulings: metrics, claims, verdict, sweeps, report pages.

From below: `solved`, `metrics`, `study` (all of them together), `wording`, `claims`, `report`;
pages and sweeps are built on these.

May import `claims`, `core`, `figures`, `graph`, `kernels`, `players`, `policy`, `render`, `solver`,
`system` and `workers`; libraries: `numpy`.
"""
