"""From the command to the first prompt, as a multiple of what bare Python takes to start."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pexpect

COMMAND: Final = str(Path(sys.executable).with_name("evenodds"))
PROMPT: Final = b"Select a number:"
ROUNDS: Final = 21
LIMITS: Final = {"piped": 8.0, "terminal": 12.0}


def bare() -> float:
    """Start Python and do nothing."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - start


def piped() -> float:
    """Until the prompt has come through a pipe."""
    start = time.perf_counter()
    with subprocess.Popen(
        [COMMAND, "play", "circle"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as game:
        assert game.stdout is not None
        seen = b""
        while PROMPT not in seen:
            seen += os.read(game.stdout.fileno(), 4096)
        took = time.perf_counter() - start
        game.kill()
    return took


def terminal() -> float:
    """Until the prompt stands on a terminal."""
    start = time.perf_counter()
    game = pexpect.spawn(COMMAND, ["play", "circle"], dimensions=(40, 80))
    game.expect_exact(PROMPT)
    took = time.perf_counter() - start
    game.close(force=True)
    return took


def measure() -> dict[str, float]:
    """The median of each, taken in turn so that a busy machine slows all alike."""
    ways: dict[str, Callable[[], float]] = {"bare": bare, "piped": piped, "terminal": terminal}
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            times[name].append(way())
    return {name: statistics.median(taken) for name, taken in times.items()}


def section() -> str:
    """Starting, as a section of the page on performance."""
    medians = measure()
    rows = [f"| `python -c pass` | {medians['bare'] * 1000:.0f} ms | 1 | |"]
    for name, limit in LIMITS.items():
        took, ratio = medians[name], medians[name] / medians["bare"]
        rows.append(f"| first prompt, {name} | {took * 1000:.0f} ms | {ratio:.1f} | {limit:.0f} |")
    return "\n".join(
        [
            "## From the command to the first prompt",
            "",
            "`evenodds play circle`, the median of "
            f"{ROUNDS} starts each, taken in turn with starts of bare Python.",
            "",
            "| | time | times bare Python | limit |",
            "|---|---|---|---|",
            *rows,
            "",
            "The floor is what Click takes to be imported, about two times bare Python. What",
            "the first prompt does not need is loaded later; on a terminal Rich draws the board.",
        ]
    )
