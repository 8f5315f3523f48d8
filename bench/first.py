"""A newcomer's first hour, beside the first release, as multiples of what bare Python takes.

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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pexpect

from bench.comparison import ROOT

PROMPTS: Final = ["Select a number:", "enter your chosen number"]
HOME: Final = ["Circle Duel"]
"""What stands in the first frame of the app."""
SHORT_RUNS: Final = 9
RELEASE_BEFORE: Final = "ccabffc"
"""The commit of release 0.1."""
FIRST_PROMPTS: Final = {
    "two people": ["play", "circle"],
    "against `perfect`": ["play", "circle", "--vs", "perfect"],
    "underdog against `level:4`": ["play", "underdog", "--vs", "level:4"],
}
DEFAULT_RULINGS: Final = ["study margin", "players underdog", "odds underdog perfect uniform"]
OTHER_RULINGS: Final = [
    "solve underdog --rule numbers=9",
    "study margin --rule numbers=6",
    "study circle --rule numbers=12",
    "study factors --rule target=48",
    "odds underdog perfect uniform --rule numbers=8",
    "repair duel --want fair,skill",
]


def bare() -> float:
    """Start Python and do nothing."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - start


class Release:
    """A version of the program, by the folder of its source, with a data folder of its own."""

    def __init__(self, source: Path, home: Path) -> None:
        self.home = home
        self.surroundings = os.environ | {
            "PYTHONPATH": str(source),
            "EVENODDS_HOME": str(home),
            "TERM": "xterm-256color",
            "PYTHONDONTWRITEBYTECODE": "",
        }

    def forget(self, everything: bool) -> None:
        """Empty the cache, but for what was compiled unless that goes too."""
        for file in self.home.glob("cache/*"):
            if everything or file.suffix != ".loops":
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

    def frame(self) -> float:
        """How long the first frame of the app takes to stand on a terminal."""
        return self.prompt([], HOME, plain="0")

    def prompt(self, command: list[str], texts: list[str] = PROMPTS, plain: str = "1") -> float:
        """How long the first prompt of the dialog takes to stand on a terminal."""
        self.forget(everything=True)
        start = time.perf_counter()
        game = pexpect.spawn(
            sys.executable,
            ["-m", "evenodds", *command],
            dimensions=(40, 80),
            env=self.surroundings | {"EVENODDS_PLAIN": plain},
            timeout=600,
        )
        game.expect_exact(texts)
        took = time.perf_counter() - start
        game.close(force=True)
        return took

    def three_times(self, command: str) -> list[float]:
        """How long a command takes cold, in a second process, and with its result kept."""
        self.forget(everything=True)
        times = [self.run(command)]
        self.forget(everything=False)
        return [*times, self.run(command), self.run(command)]


@contextmanager
def releases() -> Iterator[tuple[Release, Release]]:
    """Release 0.1 out of the repository's history, and the present one."""
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.Popen(
            ["git", "archive", RELEASE_BEFORE, "src"], cwd=ROOT, stdout=subprocess.PIPE
        )
        subprocess.run(["tar", "-x", "-C", folder], stdin=archive.stdout, check=True)
        shutil.copytree(ROOT / "src", Path(folder, "now"))
        homes = [Path(folder, name) for name in ("home before", "home now")]
        yield Release(Path(folder, "src"), homes[0]), Release(Path(folder, "now"), homes[1])


def medians(ways: list[Callable[[], float]]) -> list[float]:
    """The median of each, taken in turn; once is enough for what takes seconds."""
    times: list[list[float]] = [[way()] for way in ways]
    for _ in range(SHORT_RUNS - 1):
        for way, taken in zip(ways, times, strict=True):
            if taken[0] < 1:
                taken.append(way())
    return [statistics.median(taken) for taken in times]


def section() -> str:
    """The first hour, as a section of the page on performance."""
    rows = []
    with releases() as (before, now):
        empty, frame, *rest = medians(
            [
                bare,
                now.frame,
                *(
                    lambda one=one, command=command: one.prompt(command)
                    for command in FIRST_PROMPTS.values()
                    for one in (before, now)
                ),
            ]
        )

        def cell(seconds: float) -> str:
            return f"{seconds:.2f} s ({seconds / empty:.0f})"

        rows.append(f"| first frame of the app | | {cell(frame)} | | |")
        for name, old, new in zip(FIRST_PROMPTS, rest[::2], rest[1::2], strict=True):
            rows.append(f"| first prompt, {name} | {cell(old)} | {cell(new)} | | |")
        for command in [*DEFAULT_RULINGS, *OTHER_RULINGS]:
            old, new, second, kept = before.three_times(command)[:1] + now.three_times(command)
            cells = " | ".join(map(cell, (old, new, second, kept)))
            rows.append(f"| `{command}` | {cells} |")
    return "\n".join(
        [
            "## The first hour",
            "",
            "From a fresh data folder (cold); in a second process, with what the first has",
            "compiled but none of its results; and with its results. In parentheses: times",
            f"`python -c pass`, which took {empty * 1000:.0f} ms. Release 0.1 was run in the same",
            "minutes, cold.",
            "",
            "| | release 0.1, cold | cold | second process | kept |",
            "|---|---|---|---|---|",
            *rows,
            "",
            "Results of the default rulings come with the package, so nothing is compiled for",
            "them; of other rulings most of the cold time is compilation, which is kept on disk.",
        ]
    )
