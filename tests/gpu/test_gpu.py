"""Solving on a GPU, here in the simulator; `make test-gpu` runs the same checks on a real one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import evenodds
from evenodds import EvenOddsError
from tests.support.commands import evenodds_here as here
from tests.support.commands import surroundings
from tests.support.examples import SIMULTANEOUS_GAME, TURN_GAME
from tests.support.game_data import data_of
from tests.support.strategies import GAMES

SIMULTANEOUS = [game for game in GAMES if game.simultaneous]


@pytest.mark.processes
def test_kernels_agree_with_the_processor_in_the_simulator(home_with_tables: Path) -> None:
    rulings = {game.name: data_of(game.name).measured[0] for game in SIMULTANEOUS}
    done = subprocess.run(
        [sys.executable, "-m", "tests.gpu", json.dumps(rulings)],
        env=surroundings(home_with_tables, NUMBA_ENABLE_CUDASIM="1"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert {line.split()[0] for line in said[: len(rulings)]} == set(rulings)
    assert len(said) == len(rulings) + 8


@pytest.mark.processes
@pytest.mark.parametrize("program", [("tests.gpu",), ("bench", "gpu")])
def test_a_machine_without_a_gpu_is_told_what_it_lacks(program: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", *program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("this needs numba_cuda, which ")
    assert done.stderr.endswith(" -m pip install '.[gpu]' scipy\n")
    assert len(done.stderr.splitlines()) == 1


def test_device_gpu_without_the_extra_names_the_command(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = here("solve", SIMULTANEOUS[0].name, "--fresh", "--device", "gpu", home=home)
    assert done.returncode != 0
    assert done.stderr.splitlines()[-1].endswith('pip install "evenodds[gpu]"')
    with pytest.raises(EvenOddsError, match="numba_cuda"):
        evenodds.matrix.solve([[[1.0, 2.0]]], device="gpu")
    monkeypatch.setenv("EVENODDS_DEVICE", "tpu")
    with pytest.raises(EvenOddsError, match=r"^EVENODDS_DEVICE=tpu is not allowed"):
        evenodds.solve(SIMULTANEOUS[0].name)


@pytest.mark.parametrize("command", ["sweep", "repair"])
def test_a_wrong_device_is_refused_once_before_the_work(command: str, tmp_path: Path) -> None:
    done = here(command, SIMULTANEOUS_GAME, home=tmp_path, EVENODDS_DEVICE="tpu")
    said = (done.returncode, done.stdout, done.stderr)
    assert said == (2, "", "EVENODDS_DEVICE=tpu is not allowed; allowed: auto, cpu, gpu\n")
    done = here(command, TURN_GAME, home=tmp_path, EVENODDS_DEVICE="tpu")
    assert (done.returncode, done.stdout, done.stderr) == said
    done = here(command, SIMULTANEOUS_GAME, home=tmp_path, EVENODDS_DEVICE="gpu")
    assert (done.stdout, len(done.stderr.splitlines())) == ("", 1)
    assert 'pip install "evenodds[gpu]"' in done.stderr


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (SIMULTANEOUS_GAME, "this solution is stored; --fresh solves it again"),
        (TURN_GAME, "games of turns, with chance or about points are solved on the processor"),
    ],
)
def test_a_gpu_that_was_asked_for_and_not_used_is_told(name: str, why: str, tmp_path: Path) -> None:
    done = here("solve", name, "--device", "gpu", home=tmp_path)
    assert (done.returncode, done.stderr) == (0, f"The GPU was not used: {why}.\n")
    assert here("solve", name, "--device", "auto", home=tmp_path).stderr == ""
    assert here("solve", name, home=tmp_path, EVENODDS_DEVICE="gpu").stderr == ""


@pytest.mark.processes
def test_nothing_of_the_gpu_is_imported_without_one() -> None:
    script = (
        "import sys, evenodds.engine.solve, evenodds.engine.matrix;"
        "from evenodds.engine.gpu.device import is_for_gpu;"
        "assert not is_for_gpu('auto', is_large=True);"
        "assert not any(name.startswith(('numba', 'cupy')) for name in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
