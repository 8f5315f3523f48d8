"""Compilation of kernels with the rules of a game, and the cache of compiled kernels on disk.

The only modules that import Numba.

May import `core`, `simplex` and `system`; `kernels.mass_flow`, `kernels.playouts`,
`kernels.policy_play`, `kernels.position_keys`, `kernels.solve`, `kernels.stepping`,
`kernels.symmetry` and `kernels.transitions`; libraries: `llvmlite`, `numba` and `numpy`.
"""
