"""Compilation of kernels with the rules of a game, and the cache of compiled kernels on disk.

May import the kernels beside it, `simplex`, `core` and `system`. With `kernels.threads` the only
modules that import Numba.
"""
