"""Solving on a GPU, here in the simulator; `make test-gpu` runs the same checks on a real one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import evenodds
from evenodds.system.environment import BadSetting
from evenodds.system.imports.extras import MissingExtra
from tests.support.commands import evenodds as run
from tests.support.game_data import data_of
from tests.support.strategies import GAMES

SIMULTANEOUS = [game for game in GAMES if game.simultaneous]


@pytest.mark.processes
def test_kernels_agree_with_the_processor_in_the_simulator() -> None:
    """Every position, value and mix of small rulings, by the kernels that a GPU runs."""
    rulings = {game.name: data_of(game.name).small for game in SIMULTANEOUS}
    done = subprocess.run(
        [sys.executable, "-m", "tests.gpu.checks", json.dumps(rulings)],
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert {line.split()[0] for line in said[: len(rulings)]} == set(rulings)
    assert len(said) == len(rulings) + 4


@pytest.mark.processes
def test_device_gpu_without_the_extra_names_the_command(tmp_path: Path) -> None:
    """A machine without a GPU says in one line what is missing."""
    done = run("solve", SIMULTANEOUS[0].name, "--fresh", "--device", "gpu", home=tmp_path)
    assert done.returncode != 0
    assert done.stderr.splitlines()[-1].endswith('pip install "evenodds[gpu]"')
    with pytest.raises(MissingExtra, match="numba_cuda"):
        evenodds.matrix.solve([[[1.0, 2.0]]], device="gpu")


def test_unknown_device_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """From Python and from the setting."""
    with pytest.raises(BadSetting, match=r"^device=tpu is not allowed; allowed: auto, cpu, gpu$"):
        evenodds.matrix.solve([[1]], device="tpu")  # type: ignore[call-overload]
    monkeypatch.setenv("EVENODDS_DEVICE", "tpu")
    with pytest.raises(BadSetting, match=r"^EVENODDS_DEVICE=tpu is not allowed"):
        evenodds.solve(SIMULTANEOUS[0].name)


@pytest.mark.processes
def test_nothing_of_the_gpu_is_imported_without_one() -> None:
    """Nor asked of the machine, though the game is large enough for it."""
    script = (
        "import sys, evenodds.solver, evenodds.matrix; from evenodds.gpu.device import is_for_gpu;"
        "assert not is_for_gpu('auto', is_large=True);"
        "assert not any(name.startswith(('numba', 'cupy')) for name in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
