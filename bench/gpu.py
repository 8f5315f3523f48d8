"""The solver and matrix games on an NVIDIA GPU; needs the extra `gpu` and nothing else.

`make bench PART=gpu` on such a machine, which need not reach a package registry.
"""

import platform
import statistics
from time import perf_counter
from typing import Any

import cupy
import numpy as np

import evenodds
from bench.comparison import report
from evenodds.core import catalog
from evenodds.engine.gpu.kernels import matrix_kernel, matrix_size
from evenodds.engine.gpu.solve import GpuSolver
from evenodds.system import silent

NUMBERS = (10, 13, 15, 16, 17)
HOST_MEMORY = 320 * 10**9
SIZE, MATRICES = 10, 2_000_000
LAUNCHES = 5
HEADS = (
    "numbers", "positions", "list and solve", "positions a second", "check mirror images",
    "sort and copy to the host", "gap", "device memory",
)  # fmt: skip


def section() -> str:
    """Positions a second by size, and matrix games a second."""
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    about = (
        f"One {name}, Python {platform.python_version()}; warm, the second of two runs in a "
        "process (17 numbers: the first). `underdog`, every position:"
    )
    return report("The GPU", about, HEADS, [*map(_game_row, NUMBERS)], _matrix_games())


def _now() -> float:
    cupy.cuda.runtime.deviceSynchronize()
    return perf_counter()


def _game_row(numbers: int) -> str:
    game, rulings = catalog.settle(evenodds.game("underdog", numbers=numbers), {})
    pool = cupy.get_default_memory_pool()
    for _ in range(1 if numbers > 16 else 2):
        times = [_now()]
        solver = GpuSolver(game, rulings, HOST_MEMORY, silent)
        solver.run()
        times.append(_now())
        solver.check_mirror()
        times.append(_now())
        worths = solver.solve()
        times.append(_now())
        memory = pool.total_bytes()
        solved = solver.collect(worths)
        times.append(_now())
        del solver, worths
    pool.free_all_blocks()
    listed, mirrored, solved_in, copied = np.diff(times)
    rate = solved.positions / (listed + solved_in)
    return (
        f"| {numbers} | {solved.positions:,} | {listed + solved_in:.3f} s | "
        f"{rate / 1e6:,.0f} million | {mirrored:.3f} s | {copied:.3f} s | {solved.gap:.0e} | "
        f"{memory / 1e9:.1f} GB |"
    )


def _matrix_games() -> str:
    payoffs = np.random.default_rng(0).random((MATRICES, SIZE, SIZE))
    evenodds.matrix.solve(payoffs, device="gpu")
    start = _now()
    found = evenodds.matrix.solve(payoffs, device="gpu")
    whole = _now() - start
    games = cupy.asarray(payoffs)
    shapes = (MATRICES, MATRICES, (MATRICES, SIZE), (MATRICES, SIZE))
    outputs: list[Any] = [cupy.empty(each) for each in shapes]
    solve = matrix_kernel(matrix_size(SIZE))
    times = []
    for _ in range(LAUNCHES):
        outputs[0].fill(np.nan)
        start = _now()
        solve(games, *outputs)
        times.append(_now() - start)
        wrong = ~(abs(outputs[0].get() - found.value) < 1e-9)
        assert not wrong.any()
    there = statistics.median(times)
    return (
        f"Matrix games of {SIZE} x {SIZE}, with both mixes and gaps: {MATRICES / there / 1e6:,.1f} "
        f"million a second with payoffs on the device, {MATRICES / whole / 1e6:,.1f} million with "
        "copies from and to the host."
    )
