"""Comparison with other solvers: their rates, measured in turn with ours in the same minutes."""

import json
import statistics
import subprocess
from collections.abc import Callable
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
