"""Writes the results that come with the package: `make precomputed`.

Runs the commands that people run first, for the default rulings of every built-in game and for its
lively ones, in an empty cache, and takes what they have cached. Files are named by a digest of all
that they depend on, so that a changed rule never meets an old result: it is computed when it is
asked for, until this script is run again. The ladders of levels alone stay as they are: `--ladders`
computes them anew.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from itertools import accumulate, pairwise, product
from pathlib import Path

import numpy as np

from evenodds.arena.card import reference_rows
from evenodds.claims.study_figures import POLICY_NAMES
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame, RuledGame
from evenodds.engine.numba_cache import KERNEL_KIND
from evenodds.engine.policies import SoftmaxPolicy
from evenodds.engine.solution_files import TABLE_KIND, table_path
from evenodds.engine.solve import solve_settled
from evenodds.players.levels import DEFAULT_LADDER, LADDERS
from evenodds.study.named_odds import OddsTable
from evenodds.study.solved_game import SolvedGame
from evenodds.system import silent
from evenodds.system.cache_folder import PRECOMPUTED

EVEN = 0.0001
"""Steps of a ladder whose scores differ by less are the same."""
CLOSE = 0.01
"""A ladder that is no further from the computed one is kept: levels do not move for less."""


def main() -> None:
    """Run the commands while nothing but ladders is precomputed, and keep what they have cached."""
    if "--ladders" in sys.argv:
        write_ladders()
    before = PRECOMPUTED.with_name("precomputed.before")
    if PRECOMPUTED.exists():
        PRECOMPUTED.rename(before)
    try:
        PRECOMPUTED.mkdir()
        shutil.copyfile(before / LADDERS.name, LADDERS)
        with tempfile.TemporaryDirectory() as home:
            compute(home)
            keep(Path(home) / "cache")
    except BaseException:  # an interruption too: the results of before stay
        shutil.rmtree(PRECOMPUTED, ignore_errors=True)
        if before.exists():
            before.rename(PRECOMPUTED)
        raise
    shutil.rmtree(before, ignore_errors=True)
    sizes = [file.stat().st_size for file in PRECOMPUTED.iterdir()]
    sys.stdout.write(f"{len(sizes)} files, {sum(sizes):,} bytes in {PRECOMPUTED.name}/\n")


def write_ladders() -> None:
    """Compute the ladders of the built-in games; one that is close to its computed one stays."""
    ladders = json.loads(LADDERS.read_text(encoding="utf-8"))
    for name in sorted(catalog.built_in()):
        kept = ladders.get(name, DEFAULT_LADDER)
        found = even_ladder(catalog.get(name), kept[0])
        sys.stdout.write(f"ladder of {name}: {found}\n")
        if not np.allclose(found, kept, rtol=0, atol=CLOSE):
            ladders[name] = found
    text = json.dumps(ladders, sort_keys=True).replace("], ", "],\n ")
    LADDERS.write_text(text + "\n", encoding="utf-8")


def even_ladder(game: AnyGame, temperature: float) -> list[float]:
    """The ladder on which each level scores the same against the one below.

    What the levels gain against the one below adds up to their height. They are placed anew at even
    heights, as read from those known, until the gains are even. Where a step gains nothing, as
    where nothing depends on the pick, the ladder stays as it is then.
    """
    solved = SolvedGame(game, game.rulings())
    shares = list(DEFAULT_LADDER[1:])
    while True:
        levels = [SoftmaxPolicy(solved.solution, share, temperature) for share in shares]
        scores = [solved.score(upper, lower) for lower, upper in pairwise(levels)]
        if max(scores) - min(scores) < EVEN or min(scores) <= 0.5:
            return [temperature, *(round(share, 3) for share in shares)]
        heights = list(accumulate((score - 0.5 for score in scores), initial=0.0))
        even_heights = np.linspace(0.0, heights[-1], len(heights))
        shares = np.interp(even_heights, heights, shares).tolist()


def compute(home: str) -> None:
    """Fill a data folder with all results of the default rulings, and the study of lively ones."""
    os.environ["EVENODDS_HOME"] = home
    for name in sorted(catalog.built_in()):
        for command in ("solve", "players", "study"):
            run(command, name)
        game = catalog.get(name)
        if game.lively:
            run("study", name, *(f"{key}={value}" for key, value in game.lively))
        sys.stdout.write(f"evenodds odds {name}, every pair\n")
        OddsTable(game, game.rulings(), None, silent).of(product(POLICY_NAMES, POLICY_NAMES))
        ruled = RuledGame(game, game.rulings())
        reference_rows(ruled, solve_settled(*ruled), silent)


def keep(cache: Path) -> None:
    """Copy what was cached, but for compiled loops and the solutions of other rulings."""
    games = [catalog.get(name) for name in sorted(catalog.built_in())]
    played = [(game, game.settle(dict(chosen))) for game in games for chosen in ((), game.lively)]
    tables = {path.name for game, rulings in played if (path := table_path(game, rulings))}
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
