"""Tournaments between players: schedule, bouts, exact scores, ratings, result tables, archive.

It may import players and everything below them (coach, policy, workers, solver, render, core,
system), but neither study nor the adapters. The terminal shows what it returns.
"""
