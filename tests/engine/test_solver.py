"""The solver: every value found in two ways, certified, and named alike everywhere."""

from contextlib import nullcontext
from itertools import product
from math import comb, inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenodds
from evenodds import BadGame, TooLarge
from evenodds.core.catalog import add
from evenodds.engine.position_keys import Layout, check_width, fields_of, packing
from evenodds.engine.small_games import StateGraph
from evenodds.engine.solution import saddle_point
from tests.support.engine import layout_of, silent, solve_compiled, solve_interpreted
from tests.support.exact import rational_values
from tests.support.examples import example
from tests.support.play import positions
from tests.support.strategies import GAMES, rulings

add(example("inspection"))


def values(game: Any, settled: Any, solved: Any) -> dict[Any, float]:
    unpack = packing(game.start(settled)).unpack
    return {
        unpack(int(key), settled, solved.layout): float(value)
        for key, value in zip(solved.keys, solved.values, strict=True)
    }


@pytest.mark.no_cover
@pytest.mark.xdist_group("compiled solving")
@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("circle", {}),
        ("circle", {"numbers": 9, "reach": 2}),
        ("circle", {"numbers": 1}),
        ("duel", {}),
        ("duel", {"hp": 7, "numbers": 5, "knockout": "draw"}),
        ("factors", {"target": 18}),
        ("factors", {"target": 19}),
        ("factors", {"target": 9, "finish": "round"}),
        ("factors", {"target": 12, "numbers": 5, "same": "twice", "opening": "live"}),
        ("margin", {}),
        ("margin", {"numbers": 4, "last_round": "decisive"}),
        ("underdog", {"numbers": 4}),
        ("underdog", {"numbers": 5, "gap": 2, "target": 2}),
        ("underdog", {"numbers": 4, "target": 4, "exhausted": "draw"}),
    ],
)
def test_compiled_and_plain_agree_on_every_position(name: str, given: dict[str, Any]) -> None:
    game, settled = evenodds.game(name, given)
    plain = solve_interpreted(game, settled)
    large = solve_compiled(game, settled, 1 << 30, silent)
    assert plain is not None
    assert large.positions == plain.positions
    one, two = values(game, settled, plain), values(game, settled, large)
    assert len(one) == len(two)
    for state, value in two.items():
        if state in one:
            assert value == pytest.approx(one[state], abs=1e-12)
        else:
            assert game.mirror is not None
            assert value == pytest.approx(-one[game.mirror(state)], abs=1e-12)


def test_a_layout_grows_until_every_position_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    game, settled = evenodds.game("factors", target=6, numbers=3)
    start = fields_of(game.start(settled))
    monkeypatch.setattr("evenodds.engine.positions.sample_layout", lambda *args: layout_of([start]))
    slow = solve_compiled(game, settled, 1 << 30, silent, compiled=False)
    plain = solve_interpreted(game, settled)
    assert plain is not None
    assert slow.positions == plain.positions
    for bits, fits in ((62, True), (63, False)):
        with nullcontext() if fits else pytest.raises(BadGame, match="does not fit into 62 bits"):
            check_width(game, Layout((0, 0), (60, bits - 60)), game.start(settled))


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("circle", {"numbers": 7, "reach": 2}),
        ("duel", {}),
        ("duel", {"hp": 6, "numbers": 4, "knockout": "draw"}),
        ("margin", {"numbers": 2}),
        ("margin", {"numbers": 3}),
        ("margin", {"numbers": 4}),
        ("margin", {"numbers": 4, "last_round": "decisive"}),
        ("underdog", {"numbers": 3}),
        ("underdog", {"numbers": 4, "target": 2, "gap": 2}),
        ("inspection", {"nights": 6, "inspections": 3}),
    ],
)
def test_values_are_those_of_rational_arithmetic(name: str, given: dict[str, Any]) -> None:
    ruled = evenodds.game(name, given)
    solution = evenodds.solve(ruled)
    exact = rational_values(*ruled)
    assert len(exact) == solution.positions
    for state, value in exact.items():
        assert solution.value(state) == pytest.approx(float(value), abs=1e-12)


@pytest.mark.long
def test_rounds_that_are_decided_by_a_coin_are_worth_what_the_coin_says() -> None:
    solution = evenodds.solve(evenodds.game(example("rock_paper_scissors"), wins=3))
    for one, two in product(range(3), repeat=2):
        needed, left = 3 - one, 5 - one - two
        ahead = sum(comb(left, wins) for wins in range(needed, left + 1)) / 2**left
        state = solution.start._replace(won=(one, two))
        assert solution.value(state) == pytest.approx(2 * ahead - 1, abs=1e-12)


def test_a_saddle_point_is_found_where_there_is_one() -> None:
    solution = evenodds.solve(evenodds.game("underdog", numbers=4))
    found = 0
    states = positions(solution.game, solution.rulings)
    for state in states:
        saddle = saddle_point(solution.matrix(state))
        payoff = np.array(solution.matrix(state).payoff)
        assert (saddle is not None) == (payoff.min(axis=1).max() >= payoff.max(axis=0).min() - 1e-9)
        if saddle:
            found += 1
            matrix = solution.matrix(state)
            row, column = matrix.first.index(saddle[0]), matrix.second.index(saddle[1])
            value = pytest.approx(solution.value(state), abs=1e-9)
            assert payoff[row].min() == value == payoff[:, column].max()
    assert 0 < found < len(states)
    assert saddle_point(solution.matrix(solution.start)) is None


def test_points_with_loops_are_refused() -> None:
    game = evenodds.game("duel").game
    with pytest.raises(BadGame, match="points and loops"):
        evenodds.solve(game._replace(loops=True, reward=lambda state, picks: 1), fresh=True)
    still = game._replace(step=lambda state, picks: state)
    with pytest.raises(BadGame, match="can repeat positions"):
        solve_interpreted(still, game.rulings())


@pytest.mark.long
@pytest.mark.parametrize("game", [game for game in GAMES if game.bound], ids=str)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_a_stated_bound_is_one_and_is_close(game: Any, data: st.DataObject) -> None:
    settled = data.draw(rulings(game, 6))
    found = len(StateGraph(game, settled, inf).states)
    assert game.bound is not None
    assert found <= game.bound(settled) <= 3 * max(found, 100)


@pytest.mark.long
def test_what_is_too_large_is_refused_with_a_count() -> None:
    said = r"positions so far and more to come, about [\d,]+ after the next step of play"
    with pytest.raises(TooLarge, match=said):
        solve_compiled(*evenodds.game("circle", numbers=24, reach=3), 1 << 22, silent)
