"""The names that users import: all there, typed, with one base of errors."""

import inspect
import json
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import evenodds
from evenodds import EvenOddsError
from tests.support.commands import python
from tests.support.paths import ROOT

SCRIPT = """
import numpy as np
from numpy.typing import NDArray

import evenodds
from evenodds.adapters.gymnasium import SeatEnv
from evenodds.rules import SEATS, Board, Hands, Moves, Names, Pair, Span, Words, hand, numbers, rule


@rule
def full(size: int) -> Hands:
    return (hand(size), hand(size))


class Speech(Words[tuple[Hands, Pair]]):
    def board(self, state: tuple[Hands, Pair], names: Names) -> Board:
        return [[Span(f"{names[seat]}: {numbers(state[0][seat])}", "faint")] for seat in SEATS]


held: Moves = full(3)[0]
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
least: float = card.games["margin"].exploitability.low
report: evenodds.StudyReport = evenodds.run_study(game)
positions: int = report.study.size.positions
skill: float = report.study.skill.perfect_score
holds: list[str] = [claim.text for claim in report.claims]
evenodds.write_study_page(report, "margin.html")
match = evenodds.Match(game)
worth: float = solution.value(match.state)
seen: evenodds.State = match.view(evenodds.FIRST).state
again: bool = match.state in {game.start(), *match.states}
player: evenodds.Player = evenodds.make_player(match, evenodds.SECOND, lowest)
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
    evenodds.game("chess").game
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
    "few: int = evenodds.game('margin').rulings",
    "seen: str = SeatEnv('margin').reset()[0]['observation']",
    "SeatEnv('margin').step('3')",
)
"""One of them on each line; each is an error there."""


Checker = Callable[[Path, list[Path]], list[tuple[str, int]]]


def mypy(folder: Path, scripts: list[Path]) -> list[tuple[str, int]]:
    """File and line of each error; what `make check` found of the package is not found anew."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", *map(str, scripts)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.stderr == ""
    found = re.findall(r"(\w+)\.py:(\d+): error", done.stdout)
    return [(name, int(line)) for name, line in found]


def basedpyright(folder: Path, scripts: list[Path]) -> list[tuple[str, int]]:
    """The same; strict, and nothing that our functions return may be `Any`."""
    settings = {"typeCheckingMode": "strict", "reportAny": "error"}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    options = ["--outputjson", "--pythonpath", sys.executable]
    command = [sys.executable, "-m", "basedpyright", *options, *map(str, scripts)]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, cwd=folder).stdout)
    assert found["summary"]["filesAnalyzed"] == len(scripts)
    return [
        (Path(problem["file"]).stem, problem["range"]["start"]["line"] + 1)
        for problem in found["generalDiagnostics"]
    ]


@pytest.mark.processes
@pytest.mark.parametrize("checker", [mypy, basedpyright])
def test_type_checkers_follow_a_users_script(tmp_path: Path, checker: Checker) -> None:
    right, wrong = scripts = [tmp_path / "right.py", tmp_path / "wrong.py"]
    right.write_text(SCRIPT)
    imports = "import evenodds; from evenodds.adapters.gymnasium import SeatEnv"
    wrong.write_text("\n".join([imports, *MISTAKES]))
    expected = {("wrong", line) for line in range(2, len(MISTAKES) + 2)}
    assert set(checker(tmp_path, scripts)) == expected


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


def test_no_module_hides_a_public_name() -> None:
    beside = {found.name for found in pkgutil.iter_modules(evenodds.__path__)}
    assert beside.isdisjoint(evenodds.__all__)


@pytest.mark.processes
def test_a_package_imports_what_it_offers_with_the_first_use() -> None:
    script = (
        "import sys, evenodds\n"
        "before = {'evenodds.core.match', 'evenodds.api', 'numpy'} & {*sys.modules}\n"
        "evenodds.Match, evenodds.matrix, evenodds.notation\n"
        "print(before, 'evenodds.core.match' in sys.modules, hasattr(evenodds, 'sovle'))"
    )
    assert python(script).stdout == "set() True False\n"


def test_no_module_imports_from_the_package_above_it() -> None:
    modules = Path(evenodds.__file__).parent.rglob("*.py")
    upward = re.compile(r"^ *(from evenodds import|import evenodds$)", re.MULTILINE)
    assert [path for path in modules if upward.search(path.read_text())] == []
