"""Writes the results that come with the package: `make precomputed`.

Runs the commands that people run first, for the default rulings of every built-in game, in an empty
cache, and takes what they have cached. Files are named by a digest of all that they depend on, so
that a changed rule never meets an old result: it is computed when it is asked for, until this
script is run again.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from evenodds.core import catalog
from evenodds.engine.numba_cache import KERNEL_KIND
from evenodds.engine.solution_files import TABLE_KIND, table_path
from evenodds.study.named_odds import OddsTable
from evenodds.system.cache_folder import PRECOMPUTED
from evenodds.system.progress import silent


def main() -> None:
    """Run the commands while nothing is precomputed, and keep what they have cached."""
    before = PRECOMPUTED.with_name("precomputed.before")
    if PRECOMPUTED.exists():
        PRECOMPUTED.rename(before)
    try:
        with tempfile.TemporaryDirectory() as home:
            compute(home)
            PRECOMPUTED.mkdir()
            keep(Path(home) / "cache")
    except BaseException:  # an interruption too: the results of before stay
        shutil.rmtree(PRECOMPUTED, ignore_errors=True)
        if before.exists():
            before.rename(PRECOMPUTED)
        raise
    shutil.rmtree(before, ignore_errors=True)
    sizes = [file.stat().st_size for file in PRECOMPUTED.iterdir()]
    sys.stdout.write(f"{len(sizes)} files, {sum(sizes):,} bytes in {PRECOMPUTED.name}/\n")


def compute(home: str) -> None:
    """Fill a data folder with all results of the default rulings."""
    os.environ["EVENODDS_HOME"] = home
    for name in sorted(catalog.built_in()):
        for command in ("solve", "players", "study"):
            run(command, name)
        game = catalog.get(name)
        sys.stdout.write(f"evenodds odds {name}, every pair\n")
        OddsTable(game, game.rulings(), None, silent).compute_all()


def keep(cache: Path) -> None:
    """Copy what was cached, but for compiled loops and the solutions of other rulings."""
    games = [catalog.get(name) for name in sorted(catalog.built_in())]
    tables = {path.name for game in games if (path := table_path(game, game.rulings()))}
    for file in sorted(cache.iterdir()):
        is_variant = file.suffix == f".{TABLE_KIND.suffix}" and file.name not in tables
        is_compiled = file.suffix in (f".{KERNEL_KIND.suffix}", ".nbi")  # code, and its index
        if not (is_compiled or is_variant):
            shutil.copyfile(file, PRECOMPUTED / file.name)


def run(*command: str) -> None:
    """Run a command in a process of its own."""
    sys.stdout.write(" ".join(["evenodds", *command]) + "\n")
    sys.stdout.flush()
    program = [sys.executable, "-m", "evenodds", *command]
    subprocess.run(program, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
