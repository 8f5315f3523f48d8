"""Positions and matrices a second, beside a plain kernel and other solvers, in the same run."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

import evenodds
from bench.comparison import compare_rates
from evenodds.core import catalog
from evenodds.graph import positions as listing
from evenodds.kernels.compiler.compile import GameKernels, kernels_of
from evenodds.kernels.position_keys import packing
from evenodds.simplex.arrays import as_arrays
from evenodds.simplex.game_value import find_saddle
from evenodds.simplex.tableau import fill_tableau, make_simplex_workspace, pivot_until_optimal
from evenodds.solver import compiled
from evenodds.system.environment import core_limit
from evenodds.system.progress import silent

REPEATS: Final = 5
GROWTH: Final = range(6, 14)
SIZE: Final = 10
POSITIONS: Final = 639_536
SAMPLES: Final = 3_000


def plain_kernel(loops: GameKernels) -> float:
    """Seconds for all positions of default underdog without symmetry, listed by one core."""
    game = catalog.get("underdog")._replace(mirror=None)
    os.environ["EVENODDS_CORES"] = "1"
    start = time.perf_counter()
    try:
        found = listing.PositionEnumerator(game, game.rulings(), loops, 1 << 28, silent).run()
    finally:
        del os.environ["EVENODDS_CORES"]
    compiled._solve_rounds(game.rulings(), found, loops, silent)
    return time.perf_counter() - start


def ours() -> float:
    """Seconds for the same positions as the solver does it."""
    game = catalog.get("underdog")
    start = time.perf_counter()
    compiled.solve_compiled(game, game.rulings(), 1 << 33, silent)
    return time.perf_counter() - start


def in_turn(*ways: Callable[[], float]) -> list[float]:
    """The median of each, taken in turn so that a busy machine slows all alike."""
    times = [[way() for way in ways] for _ in range(REPEATS)]
    return [statistics.median(column) for column in zip(*times, strict=True)]


def cold() -> list[float]:
    """Seconds from nothing to a solved underdog: start, import, compile, list, solve.

    In the first process that does so, and in a second one, which compiles nothing.
    """
    code = (
        "from evenodds.core import catalog; from evenodds.solver.compiled import solve_compiled;"
        "g = catalog.get('underdog'); solve_compiled(g, g.rulings(), 1 << 33, lambda *a: None)"
    )
    found = []
    with tempfile.TemporaryDirectory() as home:
        for _ in range(2):
            start = time.perf_counter()
            subprocess.run(
                [sys.executable, "-c", code], check=True, env=os.environ | {"EVENODDS_HOME": home}
            )
            found.append(time.perf_counter() - start)
    return found


def growth(numbers: int) -> str:
    """A row: positions, seconds and peak memory of a process that solves one size, warm."""
    code = (
        "import resource, time; from evenodds.core import catalog;"
        "from evenodds.solver.compiled import solve_compiled; g = catalog.get('underdog');"
        "quiet = lambda *a: None; solve_compiled(g, g.settle({'numbers': 7}), 1 << 33, quiet);"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss; t = time.perf_counter();"
        f"s = solve_compiled(g, g.settle({{'numbers': {numbers}}}), 1 << 34, quiet);"
        "t = time.perf_counter() - t; peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss;"
        "print(s.positions, t, peak / 1024, (peak - before) * 1024 / s.positions, s.gap)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    positions, seconds, peak, each, gap = map(float, done.stdout.split())
    rate = positions / seconds
    return (
        f"| {numbers} | {int(positions):,} | {seconds:.2f} | {rate:,.0f} | {peak:,.0f} "
        f"| {each:.0f} | {gap:.0e} |"
    )


def limit() -> tuple[float, float, float]:
    """Pivots and cells of a position on average, and the seconds that these cost at the least.

    Pivots are counted at positions of random play, cells are those that all pivots write. A cell is
    one multiplication and one addition; their rate is that of a long line that stays in cache.
    """
    solution = evenodds.solve("underdog")
    chance = np.random.default_rng(2)
    places = chance.choice(len(solution.solved.keys), SAMPLES, replace=False)
    unpack = packing(solution.start).unpack
    workspace = as_arrays(make_simplex_workspace(SIZE))
    pivots = cells = 0
    for place in places:
        key = int(solution.solved.keys[place])
        state = unpack(key, solution.rulings, solution.solved.layout)
        payoff = np.array(solution.matrix(state).payoff)
        height, width = payoff.shape
        workspace.payoff[:height, :width] = payoff
        low, high = find_saddle(workspace, height, width)
        if low < high:
            fill_tableau(workspace, height, width, 1.0 - low)
            made = pivot_until_optimal(workspace, height, width, 4 * (height + width))
            pivots += made
            cells += made * (height + 1) * (width + 1)
    matrices = len(solution.solved.keys)
    seconds = cells / SAMPLES * matrices / _cell_rate() / core_limit()
    return pivots / SAMPLES, cells / SAMPLES, seconds


def _cell_rate() -> float:
    """Cells a second that one core adds a multiple to, in a long line that stays in cache."""
    from numba import njit

    @njit(nogil=True)
    def add(line: Any, pivot: Any, times: int) -> None:
        for _ in range(times):
            for place in range(line.size):
                line[place] -= 1e-9 * pivot[place]

    line, pivot = np.ones(1024), np.ones(1024)
    add(line, pivot, 1)
    best = 0.0
    for _ in range(20):
        start = time.perf_counter()
        add(line, pivot, 5000)
        best = max(best, 5000 * line.size / (time.perf_counter() - start))
    return best


def section() -> str:
    """The solver, as a section of the page on performance."""
    kernels_of(catalog.get("underdog"), True)
    without = GameKernels(catalog.get("underdog")._replace(mirror=None))
    plain_kernel(without)
    ours()
    plain, mine = in_turn(lambda: plain_kernel(without), ours)
    pivots, cells, least = limit()
    positions = compare_rates("positions", lambda: POSITIONS / ours(), 1)
    first, second = cold()
    return "\n".join(
        [
            "## The solver",
            "",
            f"On {core_limit()} cores, warm unless said otherwise.",
            "",
            "| all 639,536 positions of default `underdog` | time | rate |",
            "|---|---|---|",
            f"| plain kernel: no symmetry, listed by one core | {plain:.2f} s | 1 |",
            f"| the solver | {mine:.2f} s | {plain / mine:.2f} |",
            f"| the solver from a cold start, compilation included | {first:.1f} s | |",
            f"| the same in a second process, which compiles nothing | {second:.1f} s | |",
            f"| the pivots alone, at the rate of the machine | {least:.3f} s "
            f"| {plain / least:.0f} |",
            "",
            f"The limit is an estimate: {pivots:.1f} pivots a position and {cells:.0f} cells",
            f"written, counted at {SAMPLES:,} positions, each a multiplication and an addition at",
            "the rate of a long line in cache. Half of the time goes into listing positions and",
            "finding children; the other half into lines of ten numbers, where choosing a pivot",
            "costs more than the pivot.",
            "",
            "| positions a second | | times OpenSpiel |",
            "|---|---|---|",
            f"| OpenSpiel `value_iteration`, goofspiel with 5 cards "
            f"| {positions['openspiel']:.1f} | 1 |",
            f"| the solver, default `underdog` | {positions['ours']:,.0f} "
            f"| {positions['ours'] / positions['openspiel']:,.0f} |",
            "",
            "Growth of `underdog` with the size of the hand, each in a process of its own. Bytes",
            "are what the process grew by at its peak, for each position.",
            "",
            "| numbers | positions | seconds | positions a second | peak MiB | bytes each | gap |",
            "|---|---|---|---|---|---|---|",
            *(growth(numbers) for numbers in GROWTH),
        ]
    )
