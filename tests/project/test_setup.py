"""What `make` needs of a machine, tried with a Python and a system that lack something."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import system_packages
from tests.support.paths import ROOT

pytestmark = pytest.mark.processes

PYTHON = Path(sys.base_prefix) / "bin" / "python3"
TOOLS = ("sh", "cat", "cksum", "dirname", "grep", "sed", "uname")
LACKING = "raise ImportError('not on this machine')\n"
PIP = "import sys; open('asked', 'a').write(' '.join(sys.argv[1:]) + chr(10))\n"
"""A pip that notes what it is asked to install."""
Run = Callable[[str], "subprocess.CompletedProcess[str]"]


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """The programs of a small system, without uv, on which nobody is root."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    program(folder / "id", "echo 1000")
    return folder


def program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def run(system: Path, tmp_path: Path) -> Run:
    """Runs a script of ours in a copy, with the programs of that system and no others."""
    for name in ("scripts", "requirements"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    kept = {key: os.environ[key] for key in ("HOME", "LANG") if key in os.environ}

    def run(script: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["sh", *script.split()],
            cwd=tmp_path,
            env=kept | {"PATH": str(system)},
            capture_output=True,
            text=True,
        )

    return run


def python_without(system: Path, **modules: str) -> None:
    """A Python in which some modules are other than usual; those it makes are as usual."""
    stubs = system.parent / "stubs"
    for name, text in modules.items():
        (stubs / name).mkdir(parents=True)
        (stubs / name / "__init__.py").write_text(text if text == LACKING else "__version__ = ''\n")
        (stubs / name / "__main__.py").write_text(text)
    program(system / "python3", f'PYTHONPATH="{stubs}" exec "{PYTHON}" "$@"')


def test_a_python_without_ensurepip_uses_its_pip(run: Run, system: Path, tmp_path: Path) -> None:
    python_without(system, ensurepip=LACKING, pip=PIP)
    for _ in range(2):  # the second time finds the environment, which has no pip of its own
        done = run("scripts/setup.sh play")
        assert done.returncode == 0
        assert "installing what playing needs" in done.stderr.splitlines()[-1]
    asked = (tmp_path / "asked").read_text().splitlines()
    assert len(asked) == 4
    assert all(line.startswith("--python .venv/bin/python install ") for line in asked)
    assert asked[0].endswith("--no-deps --require-hashes -r requirements/play.txt")


@pytest.mark.parametrize("half", [False, True])
def test_a_hopeless_python_is_told_so(run: Run, system: Path, tmp_path: Path, half: bool) -> None:
    python_without(system, ensurepip=LACKING, pip=LACKING)
    if half:
        subprocess.run([PYTHON, "-m", "venv", "--without-pip", tmp_path / ".venv"], check=True)
    done = run("scripts/setup.sh play")
    assert done.returncode == 1
    assert "has neither ensurepip nor pip, and there is no uv" in done.stderr
    for command in ("apt-get install python3 python3-venv", "dnf install", "brew install python"):
        assert command in done.stderr
    assert "Traceback" not in done.stderr
    assert half or not (tmp_path / ".venv").exists()


@pytest.mark.parametrize("manager", ["apt-get", "dnf"])
@pytest.mark.parametrize("old", [False, True])
def test_without_python_root_too_is_told_what_to_run_and_nothing_is_tried(
    run: Run, system: Path, tmp_path: Path, manager: str, old: bool
) -> None:
    program(system / "id", "echo 0")
    program(system / manager, f"echo called >{tmp_path}/called")
    if old:
        program(system / "python3", "exit 1")
    done = run("scripts/setup.sh play")
    assert done.returncode == 1
    first, *_, last = done.stderr.splitlines()
    assert first.startswith("setup: Python 3.11 or newer is needed and was not found. Run this")
    assert last.endswith("brew install python")
    assert not (tmp_path / "called").exists()


@pytest.mark.parametrize(
    ("manager", "command"),
    [
        ("apt-get", "sudo apt-get install chromium libatomic1 postgresql"),
        ("dnf", "sudo dnf install chromium libatomic postgresql-server"),
        ("brew", "brew install chromium libatomic1 postgresql"),
    ],
)
def test_what_the_tests_lack_is_said(run: Run, system: Path, manager: str, command: str) -> None:
    program(system / "ls", "exit 1")
    (system / "uname").unlink()
    program(system / "uname", "echo Linux")
    program(system / manager, "exit 1")
    done = run("scripts/system_packages.sh")
    assert done.returncode == 0
    said = "parts: missing: chromium libatomic1 postgresql; their tests are skipped. "
    assert done.stderr == f"{said}To run them too, first: {command}\n"


def test_the_readme_says_what_is_installed() -> None:
    packages = re.findall(r"\bneed (\w+)", (ROOT / "scripts" / "system_packages.sh").read_text())
    readme = (ROOT / "README.md").read_text()
    (said,) = re.findall(r"as root on Debian it installs ([^;.]*)", readme)
    assert re.findall(r"`(\w+)`", said) == packages


@pytest.mark.parametrize("goal", ["test", "coverage", "soak"])
def test_it_is_said_before_anything_slow(goal: str) -> None:
    make = ["make", "-n", "-s", goal]
    lines = subprocess.run(make, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert lines.startswith("sh scripts/system_packages.sh\nsh scripts/setup.sh all\n")


@pytest.mark.parametrize(
    ("user", "ci", "end"),
    [
        (1000, "", pytest.skip.Exception),
        (1000, "true", pytest.fail.Exception),
        (0, "", pytest.fail.Exception),
    ],
)
def test_a_test_of_a_missing_part_is_skipped(user: int, ci: str, end: type[BaseException]) -> None:
    with pytest.raises(end, match="chromium is missing"):
        system_packages.missing("chromium", {"CI": ci}, user)
