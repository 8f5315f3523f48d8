"""The names that users import: all there, typed, with one base of errors."""

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import evenodds
from evenodds import EvenOddsError

SCRIPT = """
import evenodds

solution: evenodds.Solution = evenodds.solve("margin", numbers=3)
value: float = solution.value(solution.start)
mix: dict[int, float] = solution.mix(solution.start, evenodds.FIRST)
uniform = evenodds.Uniform("margin")
found: evenodds.Odds = evenodds.odds("margin", solution, uniform, rulings={"numbers": 3})
share: float = found.first
counts: evenodds.Simulation = evenodds.simulate("margin", matches=10)
games: list[str] = [game.name for game in evenodds.list_games()]
try:
    evenodds.get("chess")
except evenodds.EvenOddsError as error:
    text: str = str(error)
"""
"""What a researcher writes first; a type checker follows all of it."""

MISTAKES = {
    "evenodds.sovle('margin')": 'has no attribute "sovle"',
    "text: str = evenodds.solve('margin')": "Incompatible types",
    "evenodds.solve('margin').valeu": 'has no attribute "valeu"',
    "evenodds.odds('margin', 3, 4)": "incompatible type",
}


def checked(tmp_path: Path, text: str) -> str:
    """What a strict type checker says of a script that somebody has written."""
    script = tmp_path / "script.py"
    script.write_text(text)
    options = ["--strict", "--no-error-summary", f"--cache-dir={tmp_path / 'cache'}"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, str(script)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"MYPYPATH": ""},
    )
    return done.stdout + done.stderr


@pytest.mark.processes
def test_a_type_checker_follows_a_users_script(tmp_path: Path) -> None:
    """Right code passes, and each mistake is an error on its line."""
    assert checked(tmp_path, SCRIPT) == ""
    said = checked(tmp_path, "\n".join(["import evenodds", *MISTAKES]))
    for line, mistake in enumerate(MISTAKES, 2):
        assert any(
            f"script.py:{line}: error" in one and MISTAKES[mistake] in one
            for one in said.splitlines()
        ), (mistake, said)


def test_every_public_name_is_there_and_shown() -> None:
    """`dir` shows what there is, and all of it can be had."""
    assert dir(evenodds) == sorted(evenodds.__all__)
    for name in evenodds.__all__:
        assert getattr(evenodds, name) is not None


def test_all_errors_have_one_base() -> None:
    """Whoever catches it catches whatever the package refuses."""
    errors = [
        found
        for name in evenodds.__all__
        if inspect.isclass(found := getattr(evenodds, name)) and issubclass(found, Exception)
    ]
    assert len(errors) > 5
    assert all(issubclass(error, EvenOddsError) for error in errors)
