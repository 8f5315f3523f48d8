"""Comparison with other solvers and with another commit, measured in turn in the same minutes."""

import json
import os
import statistics
import subprocess
import tempfile
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
REPEATS: Final = 3


def peers(what: str) -> dict[str, float]:
    """What other solvers do in a second, in an environment of their own."""
    command = [str(ROOT / ".peers/bin/python"), "-m", "bench.peers", what]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def compare_rates(what: str, ours: Callable[[], float], times: int = REPEATS) -> dict[str, float]:
    """Our rate and theirs, the median of some measurements in turn: a busy machine slows all."""
    runs = [peers(what) | {"ours": ours()} for _ in range(times)]
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def report(title: str, about: str, heads: Iterable[str], rows: Iterable[str], end: str = "") -> str:
    """A section of the page on performance: conditions, one table, and what is to be added."""
    names = list(heads)
    table = [f"| {' | '.join(names)} |", f"|{'---|' * len(names)}", *rows]
    parts = [f"## {title}", textwrap.fill(about, 120), "\n".join(table), textwrap.fill(end, 120)]
    return "\n\n".join(parts).strip()


@contextmanager
def sources() -> Iterator[dict[str, Path]]:
    """Where the code is that is measured: ours, and that of the commit that `BESIDE` names."""
    found = {"": ROOT / "src"}
    with tempfile.TemporaryDirectory() as folder:
        if commit := os.environ.get("BESIDE"):
            command = ["git", "archive", commit, "src"]
            packed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
            subprocess.run(["tar", "-x", "-C", folder], input=packed, check=True)
            found[commit] = Path(folder, "src")
        yield found
