"""Learning by self-play with OpenSpiel, and what a perfect opponent takes from it, over time."""

import subprocess
import sys
from typing import Final, NamedTuple

import evenodds
from bench.beside import ROOT
from bench.curves import Axis, Curve, picture

EXAMPLE: Final = ROOT / "examples/training/selfplay.py"
PICTURE: Final = ROOT / "docs/training.svg"
SAMPLINGS: Final = ("external", "outcome")
TIMES: Final = (0.1, 1, 10, 100, 200, 500, 1000, 10_000)
TAKEN: Final = Axis((0.05, 0.1, 0.2, 0.5, 1), "what a perfect opponent takes")


class Measured(NamedTuple):
    """How far the learning had come."""

    iterations: int
    seconds: float
    taken: float


def trained() -> dict[str, list[Measured]]:
    """Both runs of the example at once, each on a core of its own."""
    runs = {
        sampling: subprocess.Popen(
            [sys.executable, str(EXAMPLE), sampling], stdout=subprocess.PIPE, text=True
        )
        for sampling in SAMPLINGS
    }
    found = {}
    for sampling, run in runs.items():
        said, _ = run.communicate()
        assert run.returncode == 0
        rows = [line.split() for line in said.splitlines()[1:]]
        found[sampling] = [Measured(int(row[0]), float(row[1]), float(row[2])) for row in rows]
    return found


def drawn(found: dict[str, list[Measured]], chance: float) -> str:
    """The runs as curves."""
    curves = [
        Curve(f"{sampling} sampling", style, [row[1:] for row in rows if row.seconds >= 0.1])
        for (sampling, rows), style in zip(found.items(), ("one", "two"), strict=True)
    ]
    ends = ", ".join(f"{name} sampling {rows[-1].taken:.3f}" for name, rows in found.items())
    about = f"What can be taken falls with time; at the end {ends}; picks by chance {chance:.3f}."
    most = max(rows[-1].seconds for rows in found.values())
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
            "by playing against itself, two ways of sampling, each on one core; the seconds are",
            "the processor's. What can be taken from the average policy is exact, over all",
            f"positions; from picks by chance it is {chance:.3f}. Outcome sampling weighs rare",
            "matches heavily, and its curve is not always on its way down.",
            "",
            "![What a perfect opponent takes, over seconds of self-play](training.svg)",
            "",
            "| sampling | iterations | seconds | most that could be taken | at the end |",
            "|---|---|---|---|---|",
            *(
                f"| {sampling} | {rows[-1].iterations:,} | {rows[-1].seconds:.0f} "
                f"| {max(row.taken for row in rows):.3f} | {rows[-1].taken:.3f} |"
                for sampling, rows in found.items()
            ),
        ]
    )
