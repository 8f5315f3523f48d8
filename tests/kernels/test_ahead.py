"""Kernels that all games share: compiled by a second process, for the arguments of a study."""

import subprocess
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest

from evenodds.kernels.compiler import KERNEL_KIND, ahead, compile
from evenodds.system.second_process import second_process
from tests.kernels.test_cache import said_by

STUDYING = """
import evenodds, json
from evenodds.graph import position_index
from evenodds.kernels.compiler import ahead, compile
from evenodds.study.metrics.all_metrics import compute_study
from evenodds.study.solved.solved_game import SolvedGame

position_index.MAX_INTERPRETED_POSITIONS = 0
ahead.compile_shared_kernels("fill_selected_mixes")
game = evenodds.get("margin")
compute_study(SolvedGame(game, game.settle({"numbers": 3}), index_first=True))
ahead.compile_turn_kernels("respond")
game = evenodds.get("factors")
for rules in ({"target": 4}, {"target": 4, "same": "twice"}):
    compute_study(SolvedGame(game, game.settle(rules), index_first=True, keep=False))
kernels = {name: compile.shared_kernel(name) for name in compile.SHARED_KERNELS}
print(json.dumps({name: len(kernel.signatures) for name, kernel in kernels.items()}))
"""


@pytest.mark.processes
def test_a_study_finds_the_types_that_are_compiled_ahead(home_with_tables: Path) -> None:
    signatures = said_by(STUDYING, home=home_with_tables)
    others = {"push_mass_along_blocks", "solve_matrices"}  # for large graphs, and for batches
    assert signatures == {name: int(name not in others) for name in compile.SHARED_KERNELS}


@pytest.mark.own_tables
@pytest.mark.parametrize("last", ["solve_matrix", "fill_winning_picks", "respond"])
def test_nothing_is_compiled_ahead_that_is_cached(
    last: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By some process; what is missing is compiled by a call that can be made."""
    (home / "cache").mkdir(parents=True)
    monkeypatch.setenv("EVENODDS_CORES", "2")
    started, called = MagicMock(), list[Any]()
    monkeypatch.setattr(subprocess, "Popen", started)
    ahead.compile_ahead(last)
    assert not started.called  # nobody has allowed it
    with second_process():
        ahead.compile_ahead(last)
    program = started.call_args[0][0][-1]
    call = program.split(f"{ahead.__name__}.")[-1]
    monkeypatch.setattr(compile, "shared_kernel", lambda name: lambda *_: called.append(name))
    ahead.compile_shared_kernels.cache_clear()
    eval(call, vars(ahead))
    assert called[-1] == last
    KERNEL_KIND.path(last, "0" * 32).touch()
    with second_process():
        ahead.compile_ahead(last)
    assert started.call_count == 1
