"""Exact analysis of a game under some rulings: metrics, claims, verdict, sweeps, report pages.

It may import players and everything below them (policy, workers, solver, render, core, system),
but neither arena nor the adapters. Its `metrics` know nothing of the other parts; `study` puts
them together, and claims, sweeps and pages are built on it.
"""
