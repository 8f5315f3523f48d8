"""The results that come with the package are there, and right."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from scripts.precompute import CLOSE, even_ladder

import evenodds
from evenodds.arena.score_card import reference_rows
from evenodds.core.catalog import RuledGame
from evenodds.engine.solution_files import table_path
from evenodds.players.levels import ladder_of
from evenodds.study.claim_results import claim_results_of
from evenodds.study.level_strength import strengths
from evenodds.study.named_odds import OddsTable
from evenodds.study.solved_game import SolvedGame
from evenodds.study.study import study_of
from evenodds.system import cache_folder, silent
from tests.support.engine import solve_by_kernels

pytestmark = pytest.mark.long

GAMES = evenodds.list_games()
SMALL = [game for game in GAMES if game.bound is None or game.bound(game.rulings()) < 10_000]
"""Games whose figures are all computed anew in seconds."""
LARGE = [game for game in GAMES if game not in SMALL]

SOME_PAIRS = (("perfect", "random"), ("random", "perfect"), ("level:4", "perfect"))
MORE_PAIRS = (*SOME_PAIRS, ("perfect", "perfect"), ("high", "level:4"), ("random", "high"))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_solutions_are_those_that_the_solver_finds(game: Any) -> None:
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


@pytest.mark.own_tables
@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("game", SMALL, ids=str)
def test_figures_are_those_computed(game: Any, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    brought = figures(game)
    assert {file.suffix for file in (home / "cache").iterdir()} <= {".nbc", ".nbi"}, (
        "run `make precomputed`"
    )
    monkeypatch.setattr(cache_folder, "PRECOMPUTED", home / "nothing")
    assert figures(game) == pytest.approx(brought, nan_ok=True)


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_ladders_are_close_to_those_that_are_computed(game: Any) -> None:
    found = ladder_of(game)
    assert found == pytest.approx(even_ladder(game, found[0]), abs=CLOSE)


@pytest.mark.parametrize("game", LARGE, ids=str)
def test_odds_of_large_games_are_those_that_are_computed(game: Any, home: Path) -> None:
    rulings = game.rulings()
    reference_rows(RuledGame(game, rulings), silent)
    assert not [*(home / "cache").glob("*.reference")], "run `make precomputed`"
    odds = OddsTable(game, rulings, None, silent)
    below = None
    for level in strengths(game, rulings).levels:
        scores = [score_of(odds, level.name, other) for other in ("random", "perfect")]
        assert [level.random, level.perfect] == pytest.approx(scores)
        assert below is None or level.below == pytest.approx(score_of(odds, level.name, below))
        below = level.name
    for pair, found in study_of(game, rulings).skill.pairs.items():
        assert found[:3] == pytest.approx(odds.between(*pair.split())[:3])
    brought = [odds.between(*pair) for pair in SOME_PAIRS]
    solved = SolvedGame(game, rulings)
    computed = [solved.odds(*pair) for pair in SOME_PAIRS]
    for one, two in zip(brought, computed, strict=True):
        assert one[:5] == pytest.approx(two[:5], nan_ok=True)
    perfect = (computed[0].score + 1 - computed[1].score) / 2
    assert strengths(game, rulings).perfect_score == pytest.approx(perfect)
    assert study_of(game, rulings).skill.perfect_score == pytest.approx(perfect)


def score_of(odds: OddsTable, one: str, other: str) -> float:
    first, second = (odds.between(*pair).score for pair in ((one, other), (other, one)))
    return (first + 1 - second) / 2


def figures(game: Any) -> list[object]:
    rulings = game.rulings()
    odds = OddsTable(game, rulings, None, silent)
    pairs = [odds.between(*pair) for pair in MORE_PAIRS]
    claims = claim_results_of(game, rulings)
    rows = msgspec.to_builtins(reference_rows(RuledGame(game, rulings), silent))
    return flattened([strengths(game, rulings), study_of(game, rulings), claims, rows, *pairs])


def flattened(value: object) -> list[object]:
    """What something holds, however deep; numbers as numbers and all else as text."""
    if isinstance(value, dict):
        return flattened([*value.items()])
    if isinstance(value, list | tuple):
        return [part for one in value for part in flattened(one)]
    return [value if isinstance(value, int | float) else str(value)]
