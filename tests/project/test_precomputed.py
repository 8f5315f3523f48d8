"""The results that come with the package: they are there, need no NumPy, and are right."""

import subprocess
import sys
from pathlib import Path

import pytest

import evenodds
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.vocabulary import FIRST
from evenodds.graph import table_path
from evenodds.kernels.compiler import KERNEL_KIND
from evenodds.players.level_strength import strengths
from evenodds.study.claims.claim_results import claim_results_of
from evenodds.study.named_odds import UNIFORM, OddsTable
from evenodds.study.study import study_of
from evenodds.system import cache_folder
from evenodds.system.progress import silent
from tests.support.commands import surroundings

GAMES = [catalog.get(name) for name in sorted(catalog.built_in())]
SMALL = [game for game in GAMES if game.bound is None or game.bound(game.rulings()) < 10_000]
"""Games whose figures are all computed anew in seconds."""
LARGE = [game for game in GAMES if game not in SMALL]

SOME_POLICIES = ("random", "high", "level:4", "perfect")
SOME_PAIRS = (("perfect", "random"), ("random", "perfect"), ("level:4", "perfect"))

WITHOUT_NUMPY = (
    "import sys; sys.modules['numpy'] = sys.modules['numba'] = None;"
    "from evenodds.cli import run; run()"
)


def without_numpy(*arguments: str, home: Path, said: str = "") -> str:
    """What a command prints on a machine that has neither NumPy nor Numba."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMPY, *arguments],
        capture_output=True,
        text=True,
        input=said,
        env=surroundings(home),
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


@pytest.mark.processes
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_default_rulings_need_no_numpy(game: AnyGame, home: Path) -> None:
    """Solutions, strengths, studies and odds are read, and nothing is computed or cached."""
    assert "positions" in without_numpy("solve", game.name, home=home)
    assert "level:8" in without_numpy("players", game.name, home=home)
    assert "-o report.html" in without_numpy("study", game.name, home=home)
    for second in (UNIFORM, "level:4"):
        odds = without_numpy("odds", game.name, "perfect", second, home=home)
        assert "The first player scores" in odds
    assert not (home / "cache").exists()


@pytest.mark.processes
@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("opponent", ["level:1", "level:8", "perfect"])
def test_opponents_and_hints_need_no_numpy(game: AnyGame, opponent: str, home: Path) -> None:
    """A match is begun, an exact hint given, a number picked and answered, and it is resigned."""
    keys = f"hint\n{game.picks(game.start(game.rulings()), FIRST)[-1]}\nresign\n"
    said = without_numpy("play", game.name, "--vs", opponent, home=home, said=keys)
    assert "If both play perfectly from here, " in said
    assert " resigns." in said
    assert not (home / "cache").exists()


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_solutions_are_those_that_the_solver_finds(game: AnyGame) -> None:
    """The file is the one of today's rules; each value is right within both gaps."""
    path = table_path(game, game.rulings())
    assert path is not None
    assert (cache_folder.PRECOMPUTED / path.name).exists(), "run `make precomputed`"
    brought, solved = evenodds.solve(game), evenodds.solve(game, fresh=True)
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
    game: AnyGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Strengths, study, claims and odds, once brought and once from nothing.

    The odds that come along were computed all at once, those from nothing each by itself.
    """
    brought = figures(game)
    assert {file.suffix for file in cache_folder.cached_files()} <= {KERNEL_KIND.suffix}, (
        "run `make precomputed`"
    )
    monkeypatch.setattr(cache_folder, "PRECOMPUTED", tmp_path / "nothing")
    assert figures(game) == pytest.approx(brought, nan_ok=True)


@pytest.mark.long
@pytest.mark.own_tables
@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("game", LARGE, ids=str)
def test_odds_of_large_games_are_those_that_are_computed(
    game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of some pairs, by the solution that is compared above.

    The others, strengths of levels and the study agree with each other, as they came along.
    """
    rulings = game.rulings()
    odds = OddsTable(game, rulings, None, silent)
    brought = [odds.between(*pair) for pair in SOME_PAIRS]
    below = None
    for level in strengths(game, rulings).levels:
        scores = [score_of(odds, level.name, other) for other in ("random", "perfect")]
        assert [level.random, level.perfect] == pytest.approx(scores)
        assert below is None or level.below == pytest.approx(score_of(odds, level.name, below))
        below = level.name
    for pair, found in study_of(game, rulings).skill.pairs.items():
        assert found[:3] == pytest.approx(odds.between(*pair.split()).odds[:3])
    monkeypatch.setattr(OddsTable, "_cached", lambda self: {})
    computed = [odds.between(*pair) for pair in SOME_PAIRS]
    assert flattened(computed) == pytest.approx(flattened(brought), nan_ok=True)
    perfect = (computed[0].odds.score + 1 - computed[1].odds.score) / 2
    assert strengths(game, rulings).perfect_score == pytest.approx(perfect)
    assert study_of(game, rulings).skill.perfect_score == pytest.approx(perfect)


def score_of(odds: OddsTable, one: str, other: str) -> float:
    """What a player scores against another, averaged over both seats."""
    first, second = (odds.between(*pair).odds.score for pair in ((one, other), (other, one)))
    return (first + 1 - second) / 2


def figures(game: AnyGame) -> list[object]:
    """All figures of a game under its default rulings, one after the other."""
    rulings = game.rulings()
    odds = OddsTable(game, rulings, None, silent)
    found = [
        strengths(game, rulings),
        study_of(game, rulings),
        claim_results_of(game, rulings),
        *(
            odds.between(one, two)
            for one in SOME_POLICIES
            for two in ("random", "high", "level:4", "perfect")
        ),
    ]
    return list(flattened(found))


def flattened(value: object) -> "list[object]":
    """What something holds, however deep; numbers as numbers and all else as text."""
    if isinstance(value, dict):
        return flattened([*value.items()])
    if isinstance(value, list | tuple):
        return [part for one in value for part in flattened(one)]
    return [value if isinstance(value, int | float) else str(value)]
