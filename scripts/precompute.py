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
from itertools import product
from pathlib import Path

from evenodds.core import catalog
from evenodds.graph import TABLE_KIND, table_path
from evenodds.kernels import KERNEL_KIND
from evenodds.study.named_odds import POLICY_NAMES
from evenodds.system.cache_folder import PRECOMPUTED


def main() -> None:
    """Empty the folder, run the commands, and copy what they have cached."""
    shutil.rmtree(PRECOMPUTED, ignore_errors=True)
    PRECOMPUTED.mkdir()
    games = [catalog.get(name) for name in sorted(catalog.built_in())]
    tables = {path.name for game in games if (path := table_path(game, game.rulings()))}
    with tempfile.TemporaryDirectory() as home:
        for game in games:
            commands = [["solve"], ["players"], ["study"]]
            for command in [
                *commands,
                *(["odds", *pair] for pair in product(POLICY_NAMES, POLICY_NAMES)),
            ]:
                run(home, command[0], game.name, *command[1:])
        for file in sorted((Path(home) / "cache").iterdir()):
            is_variant = file.suffix == f".{TABLE_KIND.suffix}" and file.name not in tables
            if file.suffix != f".{KERNEL_KIND.suffix}" and not is_variant:
                shutil.copyfile(file, PRECOMPUTED / file.name)
    sizes = [file.stat().st_size for file in PRECOMPUTED.iterdir()]
    sys.stdout.write(f"{len(sizes)} files, {sum(sizes):,} bytes in {PRECOMPUTED.name}/\n")


def run(home: str, *command: str) -> None:
    """Run a command in a data folder of its own."""
    sys.stdout.write(" ".join(["evenodds", *command]) + "\n")
    sys.stdout.flush()
    surroundings = os.environ | {"EVENODDS_HOME": home}
    program = [sys.executable, "-m", "evenodds", *command]
    subprocess.run(program, env=surroundings, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
