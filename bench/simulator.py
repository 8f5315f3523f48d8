"""Matches a second, beside a plain kernel, one without rule functions, and another simulator."""

import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
from numba import njit

import evenodds
from bench.comparison import compare_rates
from evenodds.kernels.compiler.compile import _bound_rules
from evenodds.system.environment import core_limit

MATCHES: Final = 4_000_000
REPEATS: Final = 7
TARGET: Final = 3
SIZE: Final = 10


def plain_kernel() -> Any:
    """The plainest loop over the shared rule functions: Numba's own chance, bits counted off."""
    rules = _bound_rules("evenodds.games.underdog.rules", True)
    start, legal, step, outcome = (rules[name] for name in ("start", "legal", "step", "outcome"))

    @njit
    def any_of(moves: int) -> int:
        count = 0
        rest = moves
        while rest:
            rest &= rest - 1
            count += 1
        for _ in range(np.random.randint(count)):
            moves &= moves - 1
        number = 0
        while not moves >> number & 1:
            number += 1
        return number

    @njit(nogil=True)
    def play(rulings: Any, matches: int) -> int:
        won = 0
        for _ in range(matches):
            state = start(rulings)
            while outcome(state) == 2:
                state = step(state, (any_of(legal(state, 0)), any_of(legal(state, 1))))
            won += outcome(state) + 0
        return won

    rulings = evenodds.get("underdog").rulings()
    return lambda matches: play(rulings, matches)


def hand_written() -> Any:
    """The same game without rule functions: hands as arrays, a drawn number swapped to the end."""

    @njit(nogil=True)
    def play(matches: int) -> int:
        first = np.arange(1, SIZE + 1)
        second = np.arange(1, SIZE + 1)
        chance = 88172645463325252
        won = 0
        for _ in range(matches):
            score = other = 0
            left = SIZE
            while left > 0 and score < TARGET and other < TARGET:
                chance ^= (chance & 0x1FFFFFFFFFFFF) << 13
                chance ^= chance >> 7
                chance ^= (chance & 0x1FFFFFFFFFFF) << 17
                i = (chance & 0x7FFFFFFF) * left >> 31
                j = (chance >> 31 & 0x7FFFFFFF) * left >> 31
                left -= 1
                one, two = first[i], second[j]
                first[i], first[left] = first[left], one
                second[j], second[left] = second[left], two
                lead = one - two
                lead = -lead if abs(lead) == 1 else lead
                score += lead > 0
                other += lead < 0
            won += score - other
        return won

    return play


def on_all_cores(play: Any) -> Callable[[], float]:
    """Matches a second when every core plays its part."""

    def measured() -> float:
        with ThreadPoolExecutor(core_limit()) as pool:
            begun = time.perf_counter()
            list(pool.map(play, [MATCHES // core_limit()] * core_limit()))
            return MATCHES / (time.perf_counter() - begun)

    play(1000)
    return measured


def ours() -> float:
    """Matches a second of the simulator as it is called."""
    start = time.perf_counter()
    evenodds.simulate("underdog", matches=MATCHES, seed=1)
    return MATCHES / (time.perf_counter() - start)


def section() -> str:
    """The simulator, as a section of the page on performance."""
    evenodds.simulate("underdog", matches=1000)
    ways = (on_all_cores(plain_kernel()), on_all_cores(hand_written()), ours)
    rollouts = compare_rates("rollouts", ours)
    rates = [[way() for way in ways] for _ in range(REPEATS)]
    plain, hand, mine = (statistics.median(column) for column in zip(*rates, strict=True))
    return "\n".join(
        [
            "## The simulator",
            "",
            f"Uniform matches of default `underdog` on {core_limit()} cores, the median of "
            f"{REPEATS} runs taken in turn.",
            "",
            "| | million matches a second | times plain | times OpenSpiel |",
            "|---|---|---|---|",
            f"| OpenSpiel rollouts from Python, goofspiel with 10 cards "
            f"| {rollouts['openspiel'] / 1e6:.3f} | | 1 |",
            f"| plain kernel over the rule functions | {plain / 1e6:.1f} | 1 | |",
            f"| the simulator | {mine / 1e6:.1f} | {mine / plain:.1f} "
            f"| {rollouts['ours'] / rollouts['openspiel']:,.0f} |",
            f"| written by hand without rule functions | {hand / 1e6:.1f} | {hand / plain:.1f} | |",
            "",
            "What is left to the kernel written by hand is the price of one source of rules, of",
            "counting endings and lengths, and of refusing picks that are not open.",
        ]
    )
