"""Play that hardly ever leaves a loop: odds and best responses are exact all the same."""

from typing import Any

import pytest

import evenodds
from evenodds import FIRST
from tests.support.table_games import DRAWN, LOST, WON, in_turns, table_game

TABLES = [
    in_turns([(0, [1, DRAWN]), (1, [0, WON])]),
    in_turns([(0, [2, 1]), (1, [0, LOST]), (1, [3]), (1, [4]), (1, [WON, LOST])]),
    in_turns(
        [(place % 2, [(place + 1) % 40, DRAWN if place % 2 == 0 else WON]) for place in range(40)]
    ),
]
game_of = table_game("exits", TABLES.__getitem__, simultaneous=False, loops=True)
RARE = [1e-8, 1e-13, 1e-15, 1e-20]


@pytest.mark.parametrize("rare", RARE)
@pytest.mark.parametrize("table", [0, 2], ids=["a small loop", "a large one"])
def test_matches_are_shared_out_by_how_often_they_are_left(table: int, rare: float) -> None:
    found = evenodds.odds(
        game_of(table),
        lambda *_: {1: 1 - rare / 3, 2: rare / 3},
        lambda *_: {1: 1 - rare, 2: rare},
        repetition=0,
    )
    assert found[:4] == pytest.approx((0.75, 0.25, 0, 0), abs=2 * rare + 1e-9)


@pytest.mark.parametrize("rare", RARE)
@pytest.mark.parametrize("table", [0, 2], ids=["a small loop", "a large one"])
def test_whoever_waits_for_a_rare_mistake_wins(table: int, rare: float) -> None:
    ruled = game_of(table)
    found = evenodds.best_response(ruled, lambda *_: {1: 1 - rare, 2: rare}, FIRST, repetition=0)
    assert found.value == pytest.approx(1, abs=1e-9)
    assert found.picks[ruled.start()] == 1


@pytest.mark.parametrize("rare", RARE)
def test_a_link_that_loses_hardly_anything_a_round_is_not_as_good(rare: float) -> None:
    ruled = game_of(1)
    mixes = {1: {1: 1 - rare, 2: rare}, 4: {1: 0.75, 2: 0.25}}

    def policy(state: Any, seat: int) -> Any:
        return mixes.get(state.place, 1)

    found = evenodds.best_response(ruled, policy, FIRST, repetition=0)
    assert found.value == pytest.approx(0.5, abs=1e-9)
    if rare > 1e-15:  # with less the difference is below what a float can show beside 0.5
        earned = evenodds.odds(ruled, found.picks, policy, repetition=0)
        assert earned.first - earned.second == pytest.approx(0.5, abs=1e-9)


def test_who_stays_in_a_part_of_a_loop_for_ever_leaves_the_others_their_share() -> None:
    table = in_turns([(0, [1, 2]), (0, [2, WON, 0]), (1, [2, 1])])
    ruled = table_game("stays", lambda number: table, simultaneous=False, loops=True)(0)
    found = evenodds.odds(ruled, evenodds.Uniform(ruled), lambda *_: 1, repetition=0)
    assert found[:4] == pytest.approx((0.2, 0, 0, 0.8), abs=1e-12)


def follow_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take loops of any size as too large to be eliminated at once."""
    for name in ("MAX_INTERPRETED_SUMS", "MAX_SUMS"):
        monkeypatch.setattr(f"evenodds.engine.components.{name}", 0)


@pytest.mark.parametrize("rare", RARE)
def test_a_large_loop_that_is_followed_in_vain_is_eliminated(
    rare: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    follow_all(monkeypatch)
    test_matches_are_shared_out_by_how_often_they_are_left(2, rare)
    test_whoever_waits_for_a_rare_mistake_wins(2, rare)


def test_a_loop_too_large_to_be_eliminated_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    follow_all(monkeypatch)
    monkeypatch.setattr("evenodds.engine.components.MAX_CELLS", 10)
    ways = [lambda *_: {1: 1 - 1e-9, 2: 1e-9}] * 2
    with pytest.raises(evenodds.TooLarge, match="hardly ever leave a loop of 40 positions"):
        evenodds.odds(game_of(2), *ways, repetition=0)


@pytest.mark.long
def test_a_loop_of_a_thousand_positions_is_summed_exactly() -> None:
    ruled = evenodds.game("factors", target=22, numbers=2, finish="round", same="twice")
    solution = evenodds.solve(ruled, fresh=True)
    uniform, level = evenodds.Uniform(ruled), evenodds.make_policy(ruled, "level:4")
    found = evenodds.odds(ruled, uniform, uniform, repetition=0)
    assert found[:4] == pytest.approx((0.1815524451323, 0, 0.8184475548677, 0), abs=1e-12)
    found = evenodds.odds(ruled, level, solution, repetition=0)
    assert sum(found[:4]) == pytest.approx(1, abs=1e-12)
    careless = evenodds.make_policy(ruled, "level:2")
    assert evenodds.best_response(ruled, careless, FIRST, repetition=0).value == pytest.approx(1)
