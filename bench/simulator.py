"""Matches a second, beside rollouts of another simulator."""

import time
from typing import Final

import evenodds
from bench.comparison import REPEATS, compare_rates, report
from evenodds.system.environment import core_limit

MATCHES: Final = 4_000_000


def ours() -> float:
    """Matches a second of the simulator as it is called."""
    start = time.perf_counter()
    evenodds.simulate("underdog", matches=MATCHES, seed=1)
    return MATCHES / (time.perf_counter() - start)


def section() -> str:
    """The simulator, as a section of the page on performance."""
    evenodds.simulate("underdog", matches=1000)
    found = compare_rates("rollouts", ours)
    theirs, rate = found["openspiel"], found["ours"]
    rows = [
        f"| OpenSpiel rollouts from Python, goofspiel with 10 cards | {theirs / 1e6:.3f} | 1 |",
        f"| the simulator | {rate / 1e6:.1f} | {rate / theirs:,.0f} |",
    ]
    about = (
        f"Uniform matches of default `underdog` on {core_limit()} cores, the median of {REPEATS} "
        "runs taken in turn."
    )
    return report("The simulator", about, ["", "million matches a second", "times OpenSpiel"], rows)
