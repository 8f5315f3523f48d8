"""Compiled loops: kept for other processes, never taken for others, never trusted blindly."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

import evenodds
from evenodds.core.kept_results import function_digest
from evenodds.engine.compile import compile_function
from evenodds.engine.numba_cache import named
from tests.support.commands import python, surroundings
from tests.support.engine import silent, solve_compiled
from tests.support.packages import NIM
from tests.support.paths import ROOT
from tests.support.tables import cached

pytestmark = pytest.mark.long

SOLVING = """
import json
from numba.core.event import install_recorder
from tests.engine.test_cache import figures

with install_recorder("numba:compile") as events:
    found = figures()
print(json.dumps([len(events.buffer), found]))
"""

LARGE = "\n".join(
    [
        "@rule",
        "def churned(x):",
        "    total = 0",
        "    for i in range(x):",
        *(f"        total = (total * {31 + n} + (i ^ {n}) * MOVES) % {9973 + n}" for n in range(8)),
        *(f"        if total % {5 + n} == 1: total = total * MOVES + i" for n in range(8)),
        "    return total",
    ]
)
"""Too large to become a part of its callers, so that the linker looks for it by its name."""

EDITIONS = (
    NIM.replace("0b110", "MOVES")
    + LARGE
    + """
MOVES = 0b110

@rule
def outcome_by_lot(state):
    if state.heap:
        return Outcome.ONGOING
    return Outcome.FIRST_WINS if churned(50 + state.turn) % 2 else Outcome.DRAW

LARGE = GAME._replace(outcome=outcome_by_lot)
"""
)

PLAYING = """
import editions, evenodds
for moves in {}:
    editions.MOVES = moves
    ruled = evenodds.game(editions.LARGE, heap=7)
    fast, slow = (
        evenodds.simulate(ruled, matches=50, seed=1, compiled=quick) for quick in (True, False)
    )
    assert fast == slow
"""


def figures() -> list[float]:
    game = evenodds.game("margin", numbers=4)
    found = solve_compiled(*game, 1 << 30, silent)
    return [found.positions, float(sum(found.values)), evenodds.simulate(game, matches=100).first]


@pytest.mark.processes
@pytest.mark.xdist_group("compiled solving")
def test_a_second_process_compiles_nothing(home_with_tables: Path) -> None:
    first = figures()
    second = python(SOLVING, cwd=ROOT, env=surroundings(home_with_tables))
    assert json.loads(second.stdout) == [0, first], second.stderr


@pytest.mark.processes
def test_games_of_one_module_are_told_apart_by_their_rules(home: Path, tmp_path: Path) -> None:
    (tmp_path / "editions.py").write_text(EDITIONS)
    places = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    for moves in ((2,), (6, 2, 6)):  # the second process finds what the first has kept
        done = python(PLAYING.format(moves), env=surroundings(home, PYTHONPATH=places))
        assert done.returncode == 0, done.stderr


def new_loop(constant: int = 1) -> Any:
    """A loop that no call has readied yet, as another process has it."""
    space = {"__name__": __name__, "CONSTANT": constant}
    exec("def loop(x):\n    return x + CONSTANT", space)
    loop = named(space["loop"], function_digest(space["loop"]))
    return compile_function(loop, is_kernel=True)


def hits(loop: Any) -> int:
    return sum(loop.stats.cache_hits.values())


@pytest.mark.long
@pytest.mark.own_tables
@pytest.mark.parametrize("kind", ["nbc", "nbi"])
@pytest.mark.parametrize("left", [0, -1])
def test_a_damaged_file_is_replaced(kind: str, left: int) -> None:
    assert new_loop()(1) == 2
    assert (new_loop(5)(1), new_loop(6)(1)) == (6, 7)
    for path in cached(kind):
        path.write_bytes(path.read_bytes()[:left])
    again, third = new_loop(), new_loop()
    assert (again(1), hits(again)) == (2, 0)
    assert (third(1), hits(third)) == (2, 1)


@pytest.mark.own_tables
def test_a_file_that_cannot_be_opened_is_replaced() -> None:
    assert new_loop()(1) == 2
    (index,) = cached("nbi")
    index.unlink()
    index.symlink_to(index)
    again, third = new_loop(), new_loop()
    assert (again(1), hits(again)) == (2, 0)
    assert (third(1), hits(third)) == (2, 1)


@pytest.mark.own_tables
def test_types_of_arguments_have_loops_of_their_own() -> None:
    loop = new_loop()
    assert (loop(1), loop(1.5)) == (2, 2.5)
    assert len(cached("nbc")) == 2
    again = new_loop()
    assert (again(1.5), again(1), hits(again)) == (2.5, 2, 2)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
@pytest.mark.own_tables
def test_nothing_is_read_that_is_not_the_users_alone(home: Path) -> None:
    assert new_loop()(1) == 2
    (home / "cache").chmod(0o755)
    again = new_loop()
    assert (again(1), hits(again)) == (2, 0)
    (home / "cache").chmod(0o700)
    if os.geteuid() == 0:
        os.chown(home / "cache", 12345, -1)
        again = new_loop()
        assert (again(1), hits(again)) == (2, 0)
        os.chown(home / "cache", 0, -1)
    again = new_loop()
    assert (again(1), hits(again)) == (2, 1)


@pytest.mark.own_tables
def test_a_folder_that_takes_nothing_is_no_fault(
    home: Path, capfd: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder
) -> None:
    home.mkdir()
    (home / "cache").write_text("not a folder")
    assert new_loop()(1) == 2
    assert capfd.readouterr() == ("", "")
    assert not recwarn.list
