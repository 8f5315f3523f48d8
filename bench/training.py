"""Learning by self-play with OpenSpiel, and what a perfect opponent takes from it, over time."""

import statistics
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

import evenodds
from bench.comparison import ROOT
from bench.curves import Axis, Curve, picture
from evenodds.system.environment import core_limit

EXAMPLE: Final = ROOT / "examples/training/selfplay.py"
PICTURE: Final = ROOT / "docs/training.svg"
SAMPLINGS: Final = ("external", "outcome")
SEEDS: Final = (1, 2, 3)
TIMES: Final = (0.1, 1, 10, 100, 200, 500, 1000, 10_000)
TAKEN: Final = Axis((0.05, 0.1, 0.2, 0.5, 1), "what a perfect opponent takes")


class Measured(NamedTuple):
    """How far the learning had come."""

    iterations: int
    seconds: float
    taken: float


Runs = dict[str, list[list[Measured]]]
"""For each sampling a run for each seed."""


def trained() -> Runs:
    """Every run of the example, one on each core at a time."""
    with ThreadPoolExecutor(core_limit()) as pool:
        runs = {
            sampling: [pool.submit(_run, sampling, seed) for seed in SEEDS]
            for sampling in SAMPLINGS
        }
        return {sampling: [run.result() for run in each] for sampling, each in runs.items()}


def _run(sampling: str, seed: int) -> list[Measured]:
    command = [sys.executable, str(EXAMPLE), sampling, "--seed", str(seed)]
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = [line.split() for line in said.splitlines()[1:]]
    return [Measured(int(row[0]), float(row[1]), float(row[2])) for row in rows]


def spread(figures: Iterable[float]) -> str:
    """The least and the most of some figures."""
    found = sorted(figures)
    return f"{found[0]:.3f} to {found[-1]:.3f}"


def drawn(found: Runs, chance: float) -> str:
    """The runs as curves, those of one sampling alike."""
    curves = [
        Curve(f"{sampling} sampling", style, [row[1:] for row in run if row.seconds >= TIMES[0]])
        for (sampling, runs), style in zip(found.items(), ("one", "two"), strict=True)
        for run in runs
    ]
    ends = ", ".join(f"{name} {spread(run[-1].taken for run in found[name])}" for name in found)
    about = f"What can be taken at the end: {ends}; from picks by chance {chance:.3f}."
    most = max(run[-1].seconds for runs in found.values() for run in runs)
    last = next(place for place, mark in enumerate(TIMES) if mark >= most)
    axes = (Axis(TIMES[: last + 1], "seconds of the processor"), TAKEN)
    title = "Exploitability during self-play"
    return picture(title, about, axes, curves, (chance, "picks by chance"))


def section() -> str:
    """The training run, as a section of the page on performance."""
    found = trained()
    chance = evenodds.exploitability("margin", evenodds.Uniform("margin"))
    PICTURE.write_text(drawn(found, chance), encoding="utf-8")
    return "\n".join(
        [
            "## Learning by self-play",
            "",
            "`examples/training/selfplay.py`: OpenSpiel's Monte Carlo CFR learns default `margin`",
            f"by playing against itself, two ways of sampling with {len(SEEDS)} seeds each. A run",
            "has one core, and seconds are the processor's. What can be taken from the average",
            "policy is exact, over all positions; what was learned hangs on the seed. From picks",
            f"by chance {chance:.3f} can be taken.",
            "",
            "![What a perfect opponent takes, over seconds of self-play](training.svg)",
            "",
            "| sampling | iterations | seconds | most that could be taken | at the end |",
            "|---|---|---|---|---|",
            *(_row(sampling, runs) for sampling, runs in found.items()),
        ]
    )


def _row(sampling: str, runs: list[list[Measured]]) -> str:
    seconds = statistics.median(run[-1].seconds for run in runs)
    most = spread(max(row.taken for row in run) for run in runs)
    left = spread(run[-1].taken for run in runs)
    return f"| {sampling} | {runs[0][-1].iterations:,} | {seconds:.0f} | {most} | {left} |"
