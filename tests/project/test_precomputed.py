"""The results that come with the package: they are there, need no NumPy, and are right."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import evenodds
from evenodds import FIRST
from evenodds.engine.solution_files import table_path
from evenodds.players.level_strength import strengths
from evenodds.study.claim_results import claim_results_of
from evenodds.study.named_odds import OddsTable
from evenodds.study.study import study_of
from evenodds.system import cache_folder
from evenodds.system.progress import silent
from tests.support.commands import surroundings
from tests.support.engine import solve_by_kernels
from tests.support.paths import ROOT

GAMES = evenodds.list_games()
SMALL = [game for game in GAMES if game.bound is None or game.bound(game.rulings()) < 10_000]
"""Games whose figures are all computed anew in seconds."""
LARGE = [game for game in GAMES if game not in SMALL]

SOME_PAIRS = (("perfect", "random"), ("random", "perfect"), ("level:4", "perfect"))
MORE_PAIRS = (*SOME_PAIRS, ("perfect", "perfect"), ("high", "level:4"), ("random", "high"))

WITHOUT_NUMPY = """
import json, pathlib, sys
sys.modules["numpy"] = sys.modules["numba"] = None
from tests.support.commands import evenodds_here
home, typed = pathlib.Path(sys.argv[1]), json.loads(sys.argv[2])
done = [evenodds_here(*words.split(), typed=keys, home=home) for words, keys in typed]
print(json.dumps([(one.returncode, one.stdout, one.stderr) for one in done]))
"""
"""Runs commands one after the other in a process that has neither NumPy nor Numba."""


@pytest.mark.processes
def test_default_rulings_need_no_numpy(home: Path) -> None:
    """Everything is read, opponents and exact hints too; nothing is computed or cached."""
    typed: dict[str, tuple[str, list[str]]] = {}
    for game in GAMES:
        name = game.name
        match = f"hint\n{game.picks(game.start(game.rulings()), FIRST)[-1]}\nresign\n"
        typed |= {
            f"solve {name}": ("", ["positions"]),
            f"players {name}": ("", ["level:8"]),
            f"study {name}": ("", ["-o report.html"]),
            f"odds {name} perfect uniform": ("", ["The first player scores"]),
            f"odds {name} perfect level:4": ("", ["The first player scores"]),
        } | {
            f"play {name} --vs {opponent}": (match, ["If both play perfectly from", " resigns."])
            for opponent in ("level:1", "level:8", "perfect")
        }
    commands = json.dumps([(words, keys) for words, (keys, _) in typed.items()])
    asked = [sys.executable, "-c", WITHOUT_NUMPY, str(home), commands]
    done = subprocess.run(asked, capture_output=True, text=True, cwd=ROOT, env=surroundings(home))
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    for (words, (_, said)), (code, told, errors) in zip(typed.items(), found, strict=True):
        assert (code, errors) == (0, ""), words
        assert [part for part in said if part not in told] == [], words
    assert not (home / "cache").exists()


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_solutions_are_those_that_the_solver_finds(game: Any) -> None:
    """The file is the one of today's rules; each value is right within both gaps.

    A large game by compiled loops: the plain ones take seconds, and other tests compare the two.
    """
    path = table_path(game, game.rulings())
    assert path is not None
    brought_file = Path(evenodds.__file__).parent / "precomputed" / path.name
    assert brought_file.exists(), "run `make precomputed`"
    brought = evenodds.solve(game)
    if game in LARGE:
        solved = solve_by_kernels(game, game.rulings(), fresh=True)
    else:
        solved = evenodds.solve(game, fresh=True)
    assert brought.positions == solved.positions
    assert list(brought.solved.keys) == list(solved.solved.keys)
    gap = brought.gap + solved.gap + 1e-12
    pairs = zip(brought.solved.values, solved.solved.values, strict=True)
    assert max(abs(one - two) for one, two in pairs) <= gap


@pytest.mark.long
@pytest.mark.own_tables
@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("game", SMALL, ids=str)
def test_figures_are_those_that_are_computed(
    game: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Strengths, study, claims and odds, once brought and once from nothing.

    The odds that come along were computed all at once, those from nothing each by itself.
    """
    brought = figures(game)
    assert {file.suffix for file in (home / "cache").iterdir()} <= {".nbc", ".nbi"}, (
        "run `make precomputed`"
    )
    monkeypatch.setattr(cache_folder, "PRECOMPUTED", home / "nothing")
    assert figures(game) == pytest.approx(brought, nan_ok=True)


@pytest.mark.long
@pytest.mark.parametrize("game", LARGE, ids=str)
def test_odds_of_large_games_are_those_that_are_computed(game: Any) -> None:
    """Of some pairs, by the solution that is compared above.

    The others, strengths of levels and the study agree with each other, as they came along.
    """
    rulings = game.rulings()
    odds = OddsTable(game, rulings, None, silent)
    below = None
    for level in strengths(game, rulings).levels:
        scores = [score_of(odds, level.name, other) for other in ("random", "perfect")]
        assert [level.random, level.perfect] == pytest.approx(scores)
        assert below is None or level.below == pytest.approx(score_of(odds, level.name, below))
        below = level.name
    for pair, found in study_of(game, rulings).skill.pairs.items():
        assert found[:3] == pytest.approx(odds.between(*pair.split()).odds[:3])
    brought = [odds.between(*pair) for pair in SOME_PAIRS]
    computed = [odds.compute(*pair) for pair in SOME_PAIRS]
    for one, two in zip(brought, computed, strict=True):
        assert one.odds[:5] == pytest.approx(two[:5], nan_ok=True)
    perfect = (computed[0].score + 1 - computed[1].score) / 2
    assert strengths(game, rulings).perfect_score == pytest.approx(perfect)
    assert study_of(game, rulings).skill.perfect_score == pytest.approx(perfect)


def score_of(odds: OddsTable, one: str, other: str) -> float:
    """What a player scores against another, averaged over both seats."""
    first, second = (odds.between(*pair).odds.score for pair in ((one, other), (other, one)))
    return (first + 1 - second) / 2


def figures(game: Any) -> list[object]:
    """All figures of a game under its default rulings, one after the other."""
    rulings = game.rulings()
    odds = OddsTable(game, rulings, None, silent)
    pairs = [odds.between(*pair) for pair in MORE_PAIRS]
    claims = claim_results_of(game, rulings)
    return flattened([strengths(game, rulings), study_of(game, rulings), claims, *pairs])


def flattened(value: object) -> list[object]:
    """What something holds, however deep; numbers as numbers and all else as text."""
    if isinstance(value, dict):
        return flattened([*value.items()])
    if isinstance(value, list | tuple):
        return [part for one in value for part in flattened(one)]
    return [value if isinstance(value, int | float) else str(value)]
