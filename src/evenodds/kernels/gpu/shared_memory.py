"""Sizes of kernels: lanes, blocks and shared memory for matrices of some size."""

from typing import Final, NamedTuple

from evenodds.kernels.gpu import IS_SIMULATED

SHARED_BYTES: Final = 48 << 10
"""Shared memory of a block that every device grants."""
MATRIX_SIZES: Final = (4, 8, 10, 12, 16, 24, 32, 48)
"""Kernels are compiled for matrices up to one of these sizes."""


class KernelShape(NamedTuple):
    """How a kernel for matrices up to `size` by `size` divides its threads."""

    size: int
    pitch: int
    """The length of a row in memory: odd, so that a column lies in different banks."""
    lanes: int
    """Threads that solve a matrix together."""
    groups: int
    """Matrices that a block of threads works on."""

    @property
    def block(self) -> int:
        """Threads of a block."""
        return self.lanes * self.groups


def kernel_shape(picks: int) -> KernelShape:
    """The shape for positions with at most so many picks of a seat."""
    size = next(size for size in MATRIX_SIZES if size >= picks)
    pitch = size | 1
    if IS_SIMULATED:
        return KernelShape(size, pitch, 1, 1)
    lanes = 4 if size <= 16 else 32
    numbers = (2 * size + 1) * pitch + 4 * size + 2
    groups = SHARED_BYTES // (8 * numbers + 16 * size)
    return KernelShape(size, pitch, lanes, min(groups, 64 // lanes))
