"""A newcomer's first hour, as multiples of what bare Python takes.

Each command is run with an empty data folder (cold), in a second process that finds what the first
has compiled but no results, and once more (kept). Times are wall time; those below a second are the
median of some runs, taken in turn so that a busy machine slows all alike.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import pexpect

from bench.comparison import report, sources

PROMPTS: Final = ["Select a number:", "enter your chosen number"]
HOME: Final = ["Circle Duel"]
"""What stands in the first frame of the app."""
SHORT_RUNS: Final = 9
COMPILED: Final = (".loops", ".nbi", ".nbc")
"""Files of the cache that hold compiled loops."""
FIRST_PROMPTS: Final[dict[str, list[str]]] = {
    "first frame of the app": [],
    "first prompt, two people": ["play", "circle"],
    "first prompt, against `perfect`": ["play", "circle", "--vs", "perfect"],
    "first prompt, underdog against `level:4`": ["play", "underdog", "--vs", "level:4"],
}
COMMANDS: Final = [
    "study margin",
    "odds underdog perfect random",
    "solve underdog numbers=9",
    "study margin numbers=6",
    "study factors target=48",
    "odds underdog perfect random numbers=8",
    "repair duel --want fair,skill",
]


def bare() -> float:
    """Start Python and do nothing."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - start


class Release:
    """A version of the program, with a source folder and a data folder of its own."""

    def __init__(self, source: Path, folder: Path) -> None:
        self.home = home = folder / "home"
        source = shutil.copytree(source, folder / "src")
        self.surroundings = os.environ | {
            "PYTHONPATH": str(source),
            "EVENODDS_HOME": str(home),
            "TERM": "xterm-256color",
            "PYTHONDONTWRITEBYTECODE": "",
        }

    def forget(self, everything: bool) -> None:
        """Empty the cache, but for what was compiled unless that goes too."""
        for file in self.home.glob("cache/**/*"):
            if file.is_file() and (everything or file.suffix not in COMPILED):
                file.unlink()

    def run(self, command: str) -> float:
        """How long a command takes."""
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "evenodds", *command.split()],
            check=True,
            env=self.surroundings,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return time.perf_counter() - start

    def prompt(self, command: list[str]) -> float:
        """How long the first prompt, or without a command the app, takes to stand on a terminal."""
        self.forget(everything=True)
        start = time.perf_counter()
        game = pexpect.spawn(
            sys.executable,
            ["-m", "evenodds", *command],
            dimensions=(40, 80),
            env=self.surroundings | {"EVENODDS_PLAIN": "1" if command else "0"},
            timeout=600,
        )
        game.expect_exact(PROMPTS if command else HOME)
        took = time.perf_counter() - start
        game.close(force=True)
        return took

    def three_times(self, command: str) -> list[float]:
        """How long a command takes cold, in a second process, and with its result kept."""
        self.forget(everything=True)
        times = [self.run(command)]
        self.forget(everything=False)
        return [*times, self.run(command), self.run(command)]


def medians(ways: Sequence[Callable[[], float]]) -> list[float]:
    """The median of each, taken in turn; once is enough for what takes seconds."""
    times: list[list[float]] = [[way()] for way in ways]
    for _ in range(SHORT_RUNS - 1):
        for way, taken in zip(ways, times, strict=True):
            if taken[0] < 1:
                taken.append(way())
    return [statistics.median(taken) for taken in times]


def section() -> str:
    """The first hour, as a section of the page on performance."""
    times: dict[str, list[float | None]] = {}
    with sources() as found, tempfile.TemporaryDirectory() as folder:
        releases = [Release(source, Path(folder, name or "here")) for name, source in found.items()]
        (empty,) = medians([bare])
        for name, command in FIRST_PROMPTS.items():
            ways = [partial(one.prompt, command) for one in releases]
            times[name] = [cell for cold in medians(ways) for cell in (cold, None, None)]
        for name in COMMANDS:
            times[f"`{name}`"] = [took for one in releases for took in one.three_times(name)]
    rows = [
        f"| {name} | {' | '.join(f'{s:.2f} s ({s / empty:.0f})' if s else '' for s in taken)} |"
        for name, taken in times.items()
    ]
    about = (
        "From a fresh data folder (cold); in a second process, with what the first has compiled "
        "but none of its results; and with its results (kept). In parentheses: times "
        f"`python -c pass`, which took {empty * 1000:.0f} ms."
    )
    states = ("cold", "second process", "kept")
    heads = ["", *(f"{way} {name}".strip() for name in found for way in states)]
    end = (
        "Results of the default rulings come with the package, so nothing is compiled for them; of "
        "other rulings most of the cold time is compilation, which is kept on disk."
    )
    return report("The first hour", about, heads, rows, end)
