"""The order of positions in a game of turns in which lines of play of different length meet."""

import importlib
from functools import cache
from pathlib import Path

import pytest

import evenodds
from evenodds import FIRST, Uniform, odds
from tests.support.packages import NIM, install
from tests.support.play import SEATS
from tests.support.studies import SolvedGame, game_size_of


@cache
def chance(heap: int) -> float:
    """How likely whoever is to move wins, when both pick at random."""
    if heap == 0:
        return 0.0
    takes = [1, 2] if heap > 1 else [1]
    return sum(1 - chance(heap - take) for take in takes) / len(takes)


@cache
def best(heap: int, own: bool) -> float:
    """How likely the best response to random picks wins; `own` is its turn."""
    if heap == 0:
        return 0.0 if own else 1.0
    found = [best(heap - take, not own) for take in ([1, 2] if heap > 1 else [1])]
    return max(found) if own else sum(found) / len(found)


def test_positions_that_short_and_long_lines_lead_to_come_after_all_before_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    install(tmp_path, "heap", NIM.replace('"nim"', '"heap"'))
    importlib.invalidate_caches()
    nim = evenodds.game("heap").game
    solution = evenodds.solve(nim)
    assert solution.value(solution.start) == 1  # 7 is no multiple of 3
    even = odds(nim, Uniform(nim), Uniform(nim))
    assert even.first == pytest.approx(chance(7), abs=1e-12)
    for seat in SEATS:
        found = evenodds.best_response(nim, Uniform(nim), seat=seat)
        assert found.value == pytest.approx(2 * best(7, seat == FIRST) - 1, abs=1e-12)
    size = game_size_of(SolvedGame(nim, nim.rulings(), keep=False))
    assert (size.shortest, size.longest) == (4, 7)
