"""Solving on an NVIDIA GPU: the same positions, values and certificates as on the processor.

May import `core`, `graph`, `kernels` and `system`; libraries: `cupy`, `numba_cuda` and `numpy`.
"""
