"""The solver and matrix games on an NVIDIA GPU; needs the extra `gpu` and nothing else.

`make bench PART=gpu` on such a machine, which need not reach a package registry.
"""

import platform
from time import perf_counter
from typing import Any

import cupy
import numpy as np

import evenodds
from bench.gpu_limit import measure_limit
from evenodds.core import catalog
from evenodds.gpu.device import grid_for
from evenodds.gpu.positions import GpuPositionEnumerator
from evenodds.gpu.solve import LayerSolver, check_mirror
from evenodds.kernels import gpu_matrix_kernels, kernel_shape
from evenodds.system.progress import silent

NUMBERS = (10, 13, 15, 16, 17)
LIMIT_NUMBERS = (10, 13, 15, 16)
HOST_MEMORY = 320 * 10**9
MATRICES = ((5, 4_000_000), (10, 2_000_000), (16, 500_000), (32, 100_000))


def section() -> str:
    """Positions a second by size, and matrix games a second."""
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    lines = [
        "## The GPU",
        "",
        f"One {name}, Python {platform.python_version()}; warm, the second of two runs in a",
        "process (17 numbers: the first). `underdog`, every position:",
        "",
        "| numbers | positions | list | check mirror images | solve | list and solve | "
        "positions a second | sort and copy to the host | gap | device memory | "
        "sum of all values' magnitudes |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
        *(_game_row(numbers) for numbers in NUMBERS),
        "",
        "The same by CUDA code written by hand for this one game (`bench/gpu_limit.cu`, sixteen",
        "lanes a matrix, no shared rules, no gaps), which is the limit:",
        "",
        "| numbers | stored positions | list | solve | list and solve | "
        "sum of all values' magnitudes |",
        "|---|---|---|---|---|---|",
        *(_limit_row(numbers) for numbers in LIMIT_NUMBERS),
        "",
        "Matrix games of uniform random payoffs, values, both mixes and gaps:",
        "",
        "| size | games a second, payoffs on the device | with copies from and to the host | "
        "widest gap |",
        "|---|---|---|---|",
        *(_matrix_row(size, count) for size, count in MATRICES),
    ]
    return "\n".join(lines)


def _now() -> float:
    cupy.cuda.runtime.deviceSynchronize()
    return perf_counter()


def _game_row(numbers: int) -> str:
    game, rulings = catalog.settle(evenodds.game("underdog", numbers=numbers), {})
    pool = cupy.get_default_memory_pool()
    for _ in range(1 if numbers > 16 else 2):
        times = [_now()]
        listing = GpuPositionEnumerator(game, rulings, HOST_MEMORY, silent).run()
        times.append(_now())
        check_mirror(game, rulings, listing, silent)
        times.append(_now())
        solver = LayerSolver(game, rulings, listing, silent)
        worths = solver.solve()
        times.append(_now())
        memory = pool.total_bytes()
        solved = solver.collect(worths)
        times.append(_now())
        del listing, worths
    pool.free_all_blocks()
    listed, mirrored, solved_in, copied = np.diff(times)
    rate = solved.positions / (listed + solved_in)
    return (
        f"| {numbers} | {solved.positions:,} | {listed:.3f} s | {mirrored:.3f} s | "
        f"{solved_in:.3f} s | **{listed + solved_in:.3f} s** | {rate / 1e6:,.0f} million | "
        f"{copied:.3f} s | {solved.gap:.0e} | {memory / 1e9:.1f} GB | "
        f"{abs(solved.values).sum():.3f} |"
    )


def _limit_row(numbers: int) -> str:
    found = measure_limit(numbers)
    cupy.get_default_memory_pool().free_all_blocks()
    return (
        f"| {numbers} | {found.keys:,} | {found.list_s:.3f} s | {found.solve_s:.3f} s | "
        f"**{found.list_s + found.solve_s:.3f} s** | {found.sum_of_values:.3f} |"
    )


def _matrix_row(size: int, count: int) -> str:
    payoffs = np.random.default_rng(0).random((count, size, size))
    evenodds.matrix.solve(payoffs, device="gpu")
    start = _now()
    found = evenodds.matrix.solve(payoffs, device="gpu")
    whole = _now() - start
    games, shape = cupy.asarray(payoffs), kernel_shape(size)
    outputs: list[Any] = [cupy.empty(x) for x in (count, count, (count, size), (count, size))]
    left, left_count = cupy.empty(count, np.int64), cupy.zeros(1, np.int64)
    start = _now()
    gpu_matrix_kernels(shape).solve_mixed[grid_for(shape.block), shape.block](
        games, *outputs, left, left_count
    )
    there = _now() - start
    return (
        f"| {size} x {size} | {count / there / 1e6:,.1f} million | "
        f"{count / whole / 1e6:,.1f} million | {found.gap.max():.0e} |"
    )
