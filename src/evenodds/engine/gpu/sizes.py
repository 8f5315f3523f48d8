"""Sizes of matrices for which CUDA kernels are compiled."""

from typing import Final

MATRIX_SIZES: Final = (4, 8, 10, 12, 16, 24, 32, 48)
"""Kernels are compiled for matrices up to one of these sizes."""


def matrix_size(picks: int) -> int:
    """The size of kernels for positions with at most so many picks of a seat."""
    return next(size for size in MATRIX_SIZES if size >= picks)
