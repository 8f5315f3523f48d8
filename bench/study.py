"""Studies of all games, cold and warm; and sweeps on one process, on two, and on a cluster."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from distributed import LocalCluster

from evenodds.core import catalog
from evenodds.study.sweeps.grid import read_grid
from evenodds.study.sweeps.measures import select_measures
from evenodds.study.sweeps.sweep import sweep
from evenodds.workers.cluster import Cluster
from evenodds.workers.processes import ProcessPool
from evenodds.workers.task import TaskRunner

REPEATS: Final = 3
RULINGS: Final = {"hp": "1..15", "numbers": "2..5"}
WARM: Final = {"hp": "1", "numbers": "2..5"}


@contextmanager
def fresh_home() -> Iterator[None]:
    """A data folder in which nothing is kept yet."""
    with tempfile.TemporaryDirectory() as folder:
        before, os.environ["EVENODDS_HOME"] = os.environ.get("EVENODDS_HOME"), folder
        try:
            yield
        finally:
            del os.environ["EVENODDS_HOME"]
            if before is not None:
                os.environ["EVENODDS_HOME"] = before


def rate(team: TaskRunner, rulings: dict[str, str] = RULINGS) -> float:
    """Solved and measured rulings of duel a second, processes of the crew started in that time."""
    grid = read_grid(catalog.get("duel"), rulings)
    with fresh_home():
        start = time.perf_counter()
        found = sweep(grid, select_measures(()), team)
    assert len(found.found) == len(found.rows)
    return len(found.rows) / (time.perf_counter() - start)


def on_cluster(workers: int) -> float:
    """The same on a cluster that is there already, its workers warm."""
    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as local:
        rate(Cluster(local.scheduler_address), WARM)
        return rate(Cluster(local.scheduler_address))


def studied() -> tuple[float, float]:
    """Seconds for the pages of all games: with nothing kept, and with everything."""
    command = [str(Path(sys.executable).with_name("evenodds")), "study", "--all", "-o"]
    with fresh_home(), tempfile.TemporaryDirectory() as site:
        times = []
        for _ in range(2):
            start = time.perf_counter()
            subprocess.run([*command, site], check=True, capture_output=True)
            times.append(time.perf_counter() - start)
    return times[0], times[1]


def section() -> str:
    """The study, as a section of the page on performance."""
    cold, warm = studied()
    runs = [
        (rate(ProcessPool(1)), rate(ProcessPool(2)), on_cluster(1), on_cluster(2))
        for _ in range(REPEATS)
    ]  # in turn: a busy machine slows all alike
    one, two, alone, both = (statistics.median(column) for column in zip(*runs, strict=True))
    count = len(list(read_grid(catalog.get("duel"), RULINGS).combinations()))
    return "\n".join(
        [
            "## The study",
            "",
            "`evenodds study --all`: every game studied, every ruling each way, all",
            "promises checked, six pages written.",
            "",
            "| | seconds |",
            "|---|---|",
            f"| nothing is kept: solved, compiled and summed up | {cold:.0f} |",
            f"| everything is kept | {warm:.1f} |",
            "",
            f"A sweep over {count} rulings of `duel`, each solved and measured by six measures and",
            f"kept on disk, the median of {REPEATS} runs taken in turn. Starting the processes is",
            "part of the time; the cluster was there before, on the same machine.",
            "",
            "| | rulings a second | efficiency |",
            "|---|---|---|",
            f"| one process | {one:.1f} | 1 |",
            f"| two processes | {two:.1f} | {two / one / 2:.2f} |",
            f"| Dask, one worker | {alone:.1f} | 1 |",
            f"| Dask, two workers | {both:.1f} | {both / alone / 2:.2f} |",
        ]
    )
