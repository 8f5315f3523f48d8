"""Positions a second, beside another solver in the same run."""

import os
import subprocess
import sys
import tempfile
import time
from typing import Final

from bench.comparison import compare_rates, report
from evenodds.core import catalog
from evenodds.engine import large_games
from evenodds.system import silent
from evenodds.system.environment import core_limit

POSITIONS: Final = 639_536
"""Of default `underdog`, with 10 numbers."""
LARGE: Final = 13
"""Numbers of the large ruling."""


def ours() -> float:
    """Positions of default `underdog` a second."""
    game = catalog.get("underdog")
    start = time.perf_counter()
    large_games.solve_compiled(game, game.rulings(), 1 << 33, silent)
    return POSITIONS / (time.perf_counter() - start)


def cold() -> float:
    """Seconds from nothing to a solved underdog: start, import, compile, list, solve."""
    code = (
        "from evenodds.core import catalog; from evenodds.engine.large_games import solve_compiled;"
        "g = catalog.get('underdog'); solve_compiled(g, g.rulings(), 1 << 33, lambda *a: None)"
    )
    with tempfile.TemporaryDirectory() as home:
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", code], check=True, env=os.environ | {"EVENODDS_HOME": home}
        )
        return time.perf_counter() - start


def large() -> list[float]:
    """Positions, seconds and bytes a position of a large ruling, in a process of its own, warm."""
    code = (
        "import resource, time; from evenodds.core import catalog;"
        "from evenodds.engine.large_games import solve_compiled; g = catalog.get('underdog');"
        "quiet = lambda *a: None; solve_compiled(g, g.settle({'numbers': 7}), 1 << 33, quiet);"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss; t = time.perf_counter();"
        f"s = solve_compiled(g, g.settle({{'numbers': {LARGE}}}), 1 << 34, quiet);"
        "t = time.perf_counter() - t; peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss;"
        "print(s.positions, t, (peak - before) * 1024 / s.positions)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return [float(text) for text in done.stdout.split()]


def section() -> str:
    """The solver, as a section of the page on performance."""
    ours()
    found = compare_rates("positions", ours, 1)
    theirs, rate = found["openspiel"], found["ours"]
    positions, seconds, bytes_each = large()
    large_rate = positions / seconds
    rows = [
        f"| OpenSpiel `value_iteration`, goofspiel with 5 cards | | | {theirs:.1f} | 1 |",
        f"| 10 numbers, the default | {POSITIONS:,} | {POSITIONS / rate:.2f} | {rate:,.0f} "
        f"| {rate / theirs:,.0f} |",
        f"| {LARGE} numbers | {positions:,.0f} | {seconds:.1f} | {large_rate:,.0f} "
        f"| {large_rate / theirs:,.0f} |",
    ]
    about = (
        f"`underdog` on {core_limit()} cores, warm. From a cold start, compilation included, 10 "
        f"numbers take {cold():.1f} s. {LARGE} numbers take {bytes_each:.0f} bytes of memory "
        "a position."
    )
    heads = ["", "positions", "seconds", "positions a second", "times OpenSpiel"]
    return report("The solver", about, heads, rows)
