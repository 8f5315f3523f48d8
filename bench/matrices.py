"""`evenodds.matrix.solve` beside other solvers of zero-sum matrix games."""

import os
import time
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

import evenodds
from bench.comparison import compare_rates, report

SIZE: Final = 10
GAMES: Final = 20_000
NAMES: Final = {
    "nashpy": "nashpy `linear_program`",
    "scipy": "scipy `linprog` (HiGHS)",
    "openspiel": "OpenSpiel `lp_solver`",
    "highspy": "highspy",
    "ours": "`evenodds.matrix.solve`",
}
SEED: Final = 1


def games(count: int) -> NDArray[np.float64]:
    """Games with payoffs from -1 to 1."""
    return np.random.default_rng(SEED).uniform(-1, 1, (count, SIZE, SIZE))


def ours() -> Callable[[], float]:
    """Games a second on one core, mixes and certificates included."""
    payoffs = games(GAMES)
    evenodds.matrix.solve(payoffs[:2])

    def rate() -> float:
        start = time.process_time()  # of all threads: what one core would do
        evenodds.matrix.solve(payoffs)
        return GAMES / (time.process_time() - start)

    return rate


def section() -> str:
    """Matrix games, as a section of the page on performance."""
    load = os.getloadavg()[0]
    found = compare_rates("matrices", ours())
    gaps = {name: found[f"{name} gap"] for name in NAMES if name != "ours"}
    gaps["ours"] = float(np.max(evenodds.matrix.solve(games(GAMES)).gap))
    rows = [
        f"| {text} | {found[name]:,.0f} | {found[name] / found['scipy']:,.1f} | {gaps[name]:.0e} |"
        for name, text in sorted(NAMES.items(), key=lambda item: found[item[0]])
    ]
    about = (
        f"Random games of {SIZE} x {SIZE}, a mix for each seat. The gap is the widest between what "
        "both mixes of a game guarantee. Ours are a batch in one call. By processor time, all "
        f"threads together; the load was {load:.1f} on {os.cpu_count()} cores when it began. "
        "gambit has no wheel for this machine."
    )
    return report("Matrix games", about, ["", "a second", "times scipy", "widest gap"], rows)
