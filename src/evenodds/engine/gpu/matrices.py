"""Many matrix games of one size on the GPU."""

from typing import Any, Final

import numpy as np

from evenodds.engine.gpu import IS_SIMULATED
from evenodds.engine.gpu.device import array_module, grid_for, to_host
from evenodds.engine.gpu.game_kernels import gpu_matrix_kernel
from evenodds.engine.gpu.sizes import matrix_size

BLOCK: Final = 1 if IS_SIMULATED else 64
CHUNK_BYTES: Final = 1 << 30
"""Payoffs on the device at a time."""


def solve_matrices_on_gpu(
    payoffs: Any, values: Any, gaps: Any, row_mixes: Any, column_mixes: Any
) -> None:
    """Solve games of shape (count, rows, columns) into arrays that are where the games are."""
    xp = array_module()
    count, height, width = payoffs.shape
    kernel = gpu_matrix_kernel(matrix_size(max(height, width)))
    is_there = isinstance(payoffs, xp.ndarray) and not isinstance(payoffs, np.ndarray)
    chunk = max(1, CHUNK_BYTES // (8 * height * width))
    for begin in range(0, count, chunk):
        part = slice(begin, begin + chunk)
        games = xp.asarray(payoffs[part])
        sizes = len(games), len(games), (len(games), height), (len(games), width)
        found = [xp.empty(size) for size in sizes]
        kernel[grid_for(BLOCK), BLOCK](games, *found)
        for target, source in zip((values, gaps, row_mixes, column_mixes), found, strict=True):
            target[part] = source if is_there else to_host(source)
