"""Compilation of kernels with the rules of a game, and the cache of compiled kernels on disk.

May import the kernels beside it, `matrix`, `core` and `system`. The only
modules that import Numba.
"""
