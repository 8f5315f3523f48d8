"""The names that users import: all there, typed, with one base of errors."""

import inspect
import json
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import evenodds
from evenodds import EvenOddsError

SCRIPT = """
import numpy as np
from numpy.typing import NDArray

import evenodds
from evenodds.adapters.gymnasium import SeatEnv

game = evenodds.game("margin", numbers=3)
solution: evenodds.Solution = evenodds.solve(game)
start: evenodds.State = solution.start
value: float = solution.value(start)
mix: dict[int, float] = solution.mix(start, evenodds.FIRST)
uniform = evenodds.Uniform("margin")
found: evenodds.Odds = evenodds.odds(game, solution, uniform)
share: float = found.first
counts: evenodds.Simulation = evenodds.simulate("margin", matches=10)
games: list[str] = [one.name for one in evenodds.list_games()]


def lowest(state: evenodds.State, seat: int) -> int:
    return min(game.picks(state, seat))


arena: evenodds.ArenaReport = evenodds.run_arena(game, [lowest, "level:4", solution], matches=10)
best = arena.standings[0]
rating: float | None = best.rating.value if best.rating else None
card = evenodds.run_benchmark(lowest, games=["margin"])
scores: list[float | None] = [pair.score for pair in card.games["margin"].scores]
report: evenodds.StudyReport = evenodds.run_study(game)
positions: int = report.study.size.positions
skill: float = report.study.skill.perfect_score
holds: list[str] = [promise.said for promise in report.promises]
evenodds.write_study_page(report, "margin.html")
match = evenodds.Match(game)
worth: float = solution.value(match.state)
seen: evenodds.State = match.view(evenodds.FIRST).state
again: bool = match.state in {game.start(), *match.states}
player: evenodds.Player = evenodds.make_player(lowest, match, evenodds.SECOND)
number: int = player.pick(match.view(evenodds.SECOND))
response = evenodds.best_response(game, lowest, evenodds.FIRST)
odds = evenodds.odds(game, response.picks, lowest)
rulings: list[tuple[object, ...]] = [game.rulings, solution.rulings, match.terms.rulings]
equilibria = evenodds.matrix.solve(np.zeros((3, 2, 2)))
values: NDArray[np.float64] = equilibria.value
environment = SeatEnv("margin", opponent="level:3")
seen_by_agent, _ = environment.reset(seed=1)
mask: NDArray[np.int8] = seen_by_agent["action_mask"]
seen_by_agent, reward, ended, cut_off, _ = environment.step(3)
try:
    evenodds.get("chess")
except evenodds.EvenOddsError as error:
    text: str = str(error)
"""
"""What a researcher and the author of a bot write first; type checkers follow all of it."""

MISTAKES = (
    "evenodds.sovle('margin')",
    "text: str = evenodds.solve('margin')",
    "evenodds.solve('margin').valeu",
    "evenodds.odds('margin', 3, 4)",
    "evenodds.solve('margin', numbers=3)",
    "evenodds.solve('margin', fersh=True)",
    "evenodds.run_arena('margin', ['high', 3])",
    "evenodds.run_arena('margin', ['high', 'random'], mathces=3)",
    "evenodds.run_study('margin').study.sise",
    "evenodds.run_benchmark('high').games['duel'].lost",
    "evenodds.solve('margin').value(3)",
    "number: int = evenodds.Match('margin').state",
    "evenodds.game('margin').picks('a', 0)",
    "number: int = evenodds.game('margin').rulings",
    "text: str = SeatEnv('margin').reset()[0]['observation']",
    "SeatEnv('margin').step('3')",
)
"""One of them on each line; each is an error there."""

BASEDPYRIGHT_SETTINGS = {"typeCheckingMode": "strict", "reportAny": "error"}
"""Everything that our functions return has a type; the fields of a position are `Any`."""


def mypy(tmp_path: Path, script: Path) -> set[int]:
    """The lines of a script in which mypy finds errors."""
    options = ["--strict", "--no-error-summary", f"--cache-dir={tmp_path / 'cache'}"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, str(script)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"MYPYPATH": ""},
    )
    assert done.stderr == ""
    return {int(line) for line in re.findall(r"script\.py:(\d+): error", done.stdout)}


def basedpyright(tmp_path: Path, script: Path) -> set[int]:
    """The lines of a script in which basedpyright finds errors."""
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(BASEDPYRIGHT_SETTINGS))
    options = ["--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(
        [sys.executable, "-m", "basedpyright", *options, str(script)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    found = json.loads(done.stdout)
    assert found["summary"]["filesAnalyzed"] == 1
    return {problem["range"]["start"]["line"] + 1 for problem in found["generalDiagnostics"]}


@pytest.mark.processes
@pytest.mark.parametrize("checker", [mypy, basedpyright])
def test_type_checkers_follow_a_users_script(
    tmp_path: Path, checker: Callable[[Path, Path], set[int]]
) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    assert checker(tmp_path, script) == set()
    imports = "import evenodds; from evenodds.adapters.gymnasium import SeatEnv"
    script.write_text("\n".join([imports, *MISTAKES]))
    assert checker(tmp_path, script) == set(range(2, len(MISTAKES) + 2))


def test_every_public_name_is_there_and_shown() -> None:
    assert dir(evenodds) == sorted(evenodds.__all__)
    for name in evenodds.__all__:
        assert getattr(evenodds, name) is not None


def test_all_errors_have_one_base() -> None:
    errors = [
        found
        for name in evenodds.__all__
        if inspect.isclass(found := getattr(evenodds, name)) and issubclass(found, Exception)
    ]
    assert evenodds.Forfeit in errors
    assert all(issubclass(error, EvenOddsError) for error in errors)


def test_a_game_with_its_rulings_goes_everywhere() -> None:
    """Said once, it is taken where a name is, and cannot be contradicted."""
    game = evenodds.game("margin", numbers=3)
    solution = evenodds.solve(game)
    uniform = evenodds.Uniform(game)
    assert solution.positions == evenodds.solve(evenodds.game("margin", numbers=3)).positions == 41
    assert evenodds.exploitability(game, solution) == pytest.approx(0, abs=1e-9)
    assert evenodds.odds(game, solution, uniform).score > 0.5
    assert evenodds.simulate(game, matches=10).first <= 10
    assert evenodds.Match(game).terms.rulings == game.rulings
    assert evenodds.game(game) == game == evenodds.game("margin", {"numbers": 3})
    with pytest.raises(evenodds.BadRuling, match=r"numbers=4 is given beside a game that has its"):
        evenodds.solve(evenodds.game(game, numbers=4))
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
        " [name for name in evenodds.__all__ if name.islower()"
        " and not callable(getattr(evenodds, name))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("3 96 ['matrix', 'notation']\n", "")


def test_no_function_has_the_name_of_a_module() -> None:
    """`evenodds.odds` is one thing; only the two modules that are meant as such are both."""
    modules = {found.name for found in pkgutil.iter_modules(evenodds.__path__)}
    assert modules & set(evenodds.__all__) == {"matrix"}
