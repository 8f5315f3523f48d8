"""Kernels that all games share: compiled by a second process, for the arguments of a study."""

from pathlib import Path

import pytest

from evenodds.kernels.compiler import KERNEL_KIND, ahead
from evenodds.system import cache_folder
from tests.kernels.test_cache import said_by

STUDYING = """
import json
from evenodds.core import catalog
from evenodds.graph import position_index
from evenodds.kernels.compiler import ahead, compile
from evenodds.policy import optimal_mix_ranges
from evenodds.study.metrics.all_metrics import compute_study
from evenodds.study.solved.solved_game import SolvedGame

position_index.MAX_INTERPRETED_POSITIONS = optimal_mix_ranges.MAX_POSITIONS_WITH_CACHE = 0
ahead.compile_shared_kernels("fill_extreme_mixes")
game = catalog.get("margin")
compute_study(SolvedGame(game, game.settle({"numbers": 3}), index_first=True))
ahead.compile_winning_picks()
game = catalog.get("circle")
SolvedGame(game, game.settle({"numbers": 4}), index_first=True, keep=False)
kernels = (
    compile.shared_kernel("fill_winning_picks"),
    compile.shared_kernel("solve_matrix"),
    compile.shared_kernel("fill_selected_mixes"),
    compile.shared_kernel("fill_extreme_mixes"),
)
print(json.dumps([len(kernel.signatures) for kernel in kernels]))
"""


@pytest.mark.processes
@pytest.mark.xdist_group("compiled")
def test_a_study_finds_the_types_that_are_compiled_ahead(home_with_tables: Path) -> None:
    """It calls shared kernels with no others, which it would have to compile itself."""
    assert said_by(STUDYING, home=home_with_tables) == [1, 1, 1, 1]


@pytest.mark.processes
def test_the_second_process_ends_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is started once, and only where that is allowed."""
    monkeypatch.setattr(cache_folder, "folder", lambda: tmp_path)
    monkeypatch.setattr(ahead, "core_limit", lambda: 2)
    ahead.compile_ahead("solve_matrix")
    assert not ahead._processes
    with ahead.compiling_ahead():
        ahead.compile_ahead("solve_matrix")
        ahead.compile_ahead("solve_matrix")
        (process,) = ahead._processes
        assert process.poll() is None
    assert process.returncode is not None
    assert not ahead._processes


@pytest.mark.processes
def test_no_second_process_where_it_is_of_no_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On one core, or when its kernels are cached."""
    monkeypatch.setattr(cache_folder, "folder", lambda: tmp_path)
    monkeypatch.setattr(ahead, "core_limit", lambda: 1)
    with ahead.compiling_ahead():
        ahead.compile_ahead("solve_matrix")
        assert not ahead._processes
    monkeypatch.setattr(ahead, "core_limit", lambda: 2)
    KERNEL_KIND.path("solve_matrix", "0" * 32).touch()
    with ahead.compiling_ahead():
        ahead.compile_ahead("solve_matrix")
        assert not ahead._processes
