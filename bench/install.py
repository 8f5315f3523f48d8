"""From nothing to the first pick: how long it takes to install the game and be asked for a number.

Each way is taken twice: with nothing downloaded before, and with what the first time has kept. What
is downloaded comes over the network of this machine.
"""

import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

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
MENU: Final = "Which game"


def first_prompt(command: str, folder: Path) -> float:
    """Seconds until a number is asked for."""
    kept = {key: text for key, text in os.environ.items() if key not in ("PYTHONPATH", "UV")}
    own = {"EVENODDS_HOME": "home", "EVENODDS_PLAIN": "1", "PYTHONDONTWRITEBYTECODE": ""}
    caches = {"UV_CACHE_DIR": str(folder / "uv"), "PIP_CACHE_DIR": str(folder / "pip cache")}
    start = time.perf_counter()
    game = pexpect.spawn(
        "sh", ["-c", command], cwd=folder, env=kept | own | caches, timeout=TIMEOUT_S,
        dimensions=(40, 80),
    )  # fmt: skip
    if game.expect_exact([*PROMPTS, MENU]) == len(PROMPTS):
        game.sendline("3")  # the circle, as above
        game.expect_exact("Press Enter to play")
        game.sendline("")
        game.expect_exact(PROMPTS)
    took = time.perf_counter() - start
    game.close(force=True)
    return took


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
            first, again = (first_prompt(command.format(**words), folder) for _ in range(2))
            rows.append(f"| {name} | {first:.1f} s | {again:.1f} s |")
    return "\n".join(
        [
            "## From nothing to the first pick",
            "",
            "Until the game asks for a number, with nothing downloaded before and once more with",
            f"what was kept. Other programs ran as well: a load of {load:.1f} on "
            f"{os.cpu_count()} cores.",
            "",
            "| | first time | second time |",
            "|---|---|---|",
            *rows,
        ]
    )
