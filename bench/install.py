"""From nothing to the first pick: how long it takes to install the game and be asked for a number.

Each way is taken twice: with nothing downloaded before, and with what the first time has kept. What
is downloaded comes over the network of this machine. Beside each way an empty environment is made,
so that what other programs take away shows in both.
"""

import os
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

import pexpect

from bench.comparison import ROOT
from bench.first import PROMPTS

TIMEOUT_S: Final = 900
PLAY: Final = "evenodds play circle"
WAYS: Final = {
    "`uvx --from FILE evenodds`": "{uv} tool run --isolated --from {wheel} " + PLAY,
    "`pip install FILE` in a new environment": (
        "{python} -m venv --clear pip && pip/bin/pip install --quiet {wheel} && pip/bin/" + PLAY
    ),
    "clone and `make play`": "rm -rf clone; git clone -q {root} clone && make -sC clone play",
}
EMPTY: Final = "{python} -m venv --clear empty"
MENU: Final = "Which game"


class Took(NamedTuple):
    """What a command took: on the clock, and on the processor."""

    wall_s: float
    cpu_s: float


def children_cpu_s() -> float:
    """What the processes have taken that have ended and were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def first_prompt(command: str, folder: Path) -> Took:
    """What it takes until a number is asked for, or until a command without a game ends."""
    kept = {key: text for key, text in os.environ.items() if key not in ("PYTHONPATH", "UV")}
    own = {"EVENODDS_HOME": "home", "EVENODDS_PLAIN": "1", "PYTHONDONTWRITEBYTECODE": ""}
    caches = {"UV_CACHE_DIR": str(folder / "uv"), "PIP_CACHE_DIR": str(folder / "pip cache")}
    before = children_cpu_s()
    start = time.perf_counter()
    game = pexpect.spawn(
        "sh", ["-c", command], cwd=folder, env=kept | own | caches, timeout=TIMEOUT_S,
        dimensions=(40, 80),
    )  # fmt: skip
    asked = game.expect_exact([*PROMPTS, MENU, pexpect.EOF])
    if asked == len(PROMPTS):
        game.sendline("3")  # the circle, as above
        game.expect_exact("Press Enter to play")
        game.sendline("")
        game.expect_exact(PROMPTS)
    wall_s = time.perf_counter() - start
    if asked <= len(PROMPTS):
        game.sendline("quit")
        game.expect_exact(pexpect.EOF)
    game.wait()
    return Took(wall_s, children_cpu_s() - before)


def section() -> str:
    """The ways in, as a section of the page on performance."""
    rows = []
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", text]
        subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
        (wheel,) = folder.glob("*.whl")
        words = {
            "uv": f"{shlex.quote(sys.executable)} -m uv --quiet --no-config",
            "python": shlex.quote(sys.executable),
            "wheel": shlex.quote(str(wheel)),
            "root": shlex.quote(str(ROOT)),
        }
        for name, command in WAYS.items():
            cells = []
            empty = first_prompt(EMPTY.format(**words), folder)
            for _ in range(2):
                took = first_prompt(command.format(**words), folder)
                ratio = took.wall_s / empty.wall_s
                cells.append(f"{took.wall_s:.1f} s ({ratio:.1f}), processor {took.cpu_s:.1f} s")
            rows.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(
        [
            "## From nothing to the first pick",
            "",
            "Until the game asks for a number, with nothing downloaded before and once more with",
            "what was kept. In parentheses: times an empty environment (`python -m venv`), made in",
            f"the same minute. Other programs ran: a load of {load:.1f} on {os.cpu_count()} cores.",
            "",
            "| | first time | second time |",
            "|---|---|---|",
            *rows,
        ]
    )
