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


def test_a_game_with_its_rulings_goes_everywhere() -> None:
    """Said once, it is taken where a name is, and cannot be contradicted."""
    game = evenodds.game("margin", numbers=3)
    solution = evenodds.solve(game)
    uniform = evenodds.Uniform(game)
    assert solution.positions == evenodds.solve("margin", numbers=3).positions == 41
    assert evenodds.exploitability(game, solution) == pytest.approx(0, abs=1e-9)
    assert evenodds.odds(game, solution, uniform).score > 0.5
    assert evenodds.simulate(game, matches=10).first <= 10
    assert evenodds.Match(game).terms.rulings == game.rulings
    assert evenodds.game(game) == game == evenodds.game("margin", {"numbers": 3})
    with pytest.raises(evenodds.BadRuling, match=r"numbers=4 is given beside a game that has its"):
        evenodds.solve(game, numbers=4)
    with pytest.raises(evenodds.UnknownGame):
        evenodds.game("chess")


@pytest.mark.processes
def test_no_module_hides_a_public_name() -> None:
    """Whatever was imported before, by its new name or by an old one."""
    code = (
        "import pkgutil, warnings, evenodds; from importlib import import_module;"
        "warnings.simplefilter('ignore');"
        "from evenodds.system.imports.aliases import ALIASES;"
        "[import_module(name) for name in ALIASES if name.rpartition('.')[0] not in ALIASES];"
        "skip = ('evenodds.__main__', 'evenodds.server.storage.migrations');"
        "[import_module(found.name) for found in pkgutil.walk_packages(evenodds.__path__,"
        " 'evenodds.') if not found.name.startswith(skip)];"
        "print(evenodds.game('duel', hp=3).rulings.hp, evenodds.solve('duel').positions,"
        " callable(evenodds.odds), callable(evenodds.simulate))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("3 96 True True\n", "")
