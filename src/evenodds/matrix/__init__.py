"""Zero-sum matrix games: the simplex method, and which of several equilibria is selected.

Functions marked with `rule` also run compiled inside `kernels`. May import `core` and `system`.
"""
