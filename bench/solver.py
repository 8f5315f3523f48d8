"""Positions and matrices a second, beside a plain kernel and other solvers, in the same run."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from scipy.optimize import linprog

from evenodds import catalog
from evenodds.solver import large, listing
from evenodds.solver.compile import Loops, _rules_of, loops_of
from evenodds.solver.matrix import room_for

REPEATS: Final = 5
GROWTH: Final = range(6, 14)
SIZE: Final = 10


def silent(stage: str, done: int, total: int) -> None:
    """Tell nobody."""


def plain_kernel(loops: Loops) -> float:
    """Seconds for all positions of default underdog without symmetry, listed by one core."""
    game = catalog.get("underdog")._replace(mirror=None)
    cores, listing.CORES = listing.CORES, 1  # type: ignore[misc]
    start = time.perf_counter()
    try:
        found = listing.Lister(game, game.rulings(), loops, 1 << 28, silent).run()
    finally:
        listing.CORES = cores  # type: ignore[misc]
    large._solve_rounds(game.rulings(), found, loops, silent)
    return time.perf_counter() - start


def ours() -> float:
    """Seconds for the same positions as the solver does it."""
    game = catalog.get("underdog")
    start = time.perf_counter()
    large.solve_large(game, game.rulings(), 1 << 33, silent)
    return time.perf_counter() - start


def in_turn(*ways: Callable[[], float]) -> list[float]:
    """The median of each, taken in turn so that a busy machine slows all alike."""
    times = [[way() for way in ways] for _ in range(REPEATS)]
    return [statistics.median(column) for column in zip(*times, strict=True)]


def cold() -> float:
    """Seconds from nothing to a solved underdog: start, import, compile, list, solve."""
    code = (
        "from evenodds import catalog; from evenodds.solver.large import solve_large;"
        "g = catalog.get('underdog'); solve_large(g, g.rulings(), 1 << 33, lambda *a: None)"
    )
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start


def matrices() -> tuple[float, float]:
    """Matrix games of 10 x 10 a second, ours and scipy's HiGHS, each on one core."""
    games = np.random.default_rng(1).uniform(-1, 1, (4000, SIZE, SIZE))
    solve = _many()
    room = room_for(SIZE)
    solve(games[:2], room)
    start = time.perf_counter()
    solve(games, room)
    mine = len(games) / (time.perf_counter() - start)
    start = time.perf_counter()
    for payoff in games[:100]:
        linprog(
            np.append(np.zeros(SIZE), -1.0),
            A_ub=np.hstack([-payoff.T, np.ones((SIZE, 1))]),
            b_ub=np.zeros(SIZE),
            A_eq=[np.append(np.ones(SIZE), 0.0)],
            b_eq=[1.0],
            bounds=[(0, None)] * SIZE + [(None, None)],
        )
    return mine, 100 / (time.perf_counter() - start)


def _many() -> Any:
    from numba import njit

    solve = _rules_of("evenodds.solver.matrix", True)["solve_matrix"]

    @njit(nogil=True)
    def many(games: Any, room: Any) -> float:
        total = 0.0
        for place in range(games.shape[0]):
            for i in range(games.shape[1]):
                for j in range(games.shape[2]):
                    room.payoff[i, j] = games[place, i, j]
            total += solve(room, games.shape[1], games.shape[2])[0]
        return total

    return many


def growth(numbers: int) -> str:
    """A row: positions, seconds and peak memory of a process that solves one size, warm."""
    code = (
        "import resource, time; from evenodds import catalog;"
        "from evenodds.solver.large import solve_large; g = catalog.get('underdog');"
        "quiet = lambda *a: None; solve_large(g, g.settle({'numbers': 4}), 1 << 33, quiet);"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss; t = time.perf_counter();"
        f"s = solve_large(g, g.settle({{'numbers': {numbers}}}), 1 << 34, quiet);"
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


def section() -> str:
    """The solver, as a section of the page on performance."""
    loops_of(catalog.get("underdog"))
    without = Loops(catalog.get("underdog")._replace(mirror=None))
    plain_kernel(without)
    ours()
    plain, mine = in_turn(lambda: plain_kernel(without), ours)
    rate, scipy = matrices()
    return "\n".join(
        [
            "## The solver",
            "",
            f"On {os.cpu_count()} cores, warm unless said otherwise.",
            "",
            "| all 639,536 positions of default `underdog` | time | rate |",
            "|---|---|---|",
            f"| plain kernel: no symmetry, listed by one core | {plain:.2f} s | 1 |",
            f"| the solver | {mine:.2f} s | {plain / mine:.2f} |",
            f"| the solver from a cold start, compilation included | {cold():.1f} s | |",
            "",
            "| matrix games of 10 x 10, one core | a second | times scipy |",
            "|---|---|---|",
            f"| scipy `linprog` (HiGHS) | {scipy:,.0f} | 1 |",
            f"| the solver | {rate:,.0f} | {rate / scipy:,.0f} |",
            "",
            "Growth of `underdog` with the size of the hand, each in a process of its own. Bytes",
            "are what the process grew by at its peak, for each position.",
            "",
            "| numbers | positions | seconds | positions a second | peak MiB | bytes each | gap |",
            "|---|---|---|---|---|---|---|",
            *(growth(numbers) for numbers in GROWTH),
        ]
    )
