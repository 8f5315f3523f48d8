"""The simplex method on zero-sum matrix games, and which of several equilibria is selected.

Functions marked with `rule` also run compiled inside `kernels`.
"""
