"""Matrix games: values, certificates, and the mix that is named among the best."""

from fractions import Fraction
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenodds
from evenodds.engine import simplex as dictionary
from evenodds.engine.compile import shared_kernel
from evenodds.engine.mix_selection import selected_mix
from evenodds.engine.simplex import make_workspace, solve_game
from evenodds.engine.solution import _selected_or_any_optimal
from evenodds.engine.strategies import fill_selected_mixes
from tests.support.exact import matrix_value
from tests.support.scipy_solver import dresher


def solved(payoff: Any) -> tuple[float, float, Any]:
    """Value, gap, and both mixes in what the method has worked on."""
    work = make_workspace(*payoff.shape)
    lower, upper = solve_game(work, payoff.tolist(), *payoff.shape)
    return (lower + upper) / 2, upper - lower, work


matrices = st.tuples(st.integers(1, 7), st.integers(1, 7)).flatmap(
    lambda size: st.lists(
        st.lists(st.sampled_from((-1.0, 0.0, 1.0)), min_size=size[1], max_size=size[1]),
        min_size=size[0],
        max_size=size[0],
    )
)


@pytest.mark.long
@given(matrices)
@settings(max_examples=100)
def test_degenerate_matrices_are_certified(rows: list[list[float]]) -> None:
    payoff = np.array(rows)
    value, gap, work = solved(payoff)
    assert gap <= 1e-9
    height, width = payoff.shape
    assert sum(work.row_mix) == pytest.approx(1)
    assert sum(work.column_mix) == pytest.approx(1)
    if max(height, width) <= 4:
        exact = matrix_value(tuple(tuple(Fraction(int(e)) for e in row) for row in rows))
        assert value == pytest.approx(float(exact), abs=1e-12)
    if payoff.min(axis=1).max() == payoff.max(axis=0).min():  # a saddle point is taken
        assert gap == 0
        assert max(work.row_mix) == max(work.column_mix) == 1
    with patch.object(dictionary, "DANTZIG_PIVOTS_PER_DIMENSION", 0):  # lest it goes in circles
        again, gap, _ = solved(payoff)
    assert gap <= 1e-9
    assert again == pytest.approx(value, abs=1e-9)


def test_named_mixes_stand_firm_when_the_last_bits_differ() -> None:
    """Rounding of another machine neither spoils the guarantee nor names another mix."""
    solution = evenodds.solve(evenodds.game("underdog", numbers=5))
    chance = np.random.default_rng(9)
    states = [solution.start]
    for one, two in ((3, 1), (2, 5), (5, 4), (1, 1), (4, 5)):
        states.append(solution.game.step(solution.start, (one, two)))
    for state in states:
        payoff = np.array(solution.matrix(state).payoff)
        noise = [2e-15 * chance.standard_normal(payoff.shape) for _ in range(20)]
        named = [np.array(_selected_or_any_optimal((payoff + one).tolist())) for one in noise]
        for mix in named:
            assert (mix @ payoff).min() >= solution.value(state) - 1e-9
            assert mix == pytest.approx(named[0], abs=1e-6)


@pytest.mark.long
@pytest.mark.parametrize("noise", [1e-6, 1e-9, 1e-11, 1e-13, 1e-15])
def test_nearly_degenerate_matrices_are_certified(noise: float) -> None:
    """Ties that rounding has torn apart: a pivot on what is left of them would drown everything."""
    chance = np.random.default_rng(5)
    for _ in range(150):
        size = int(chance.integers(6, 14))
        levels = chance.choice([-1.0, -0.5, 0.0, 1 / 3, 1.0], (size, size))
        payoff = levels + noise * chance.standard_normal((size, size))
        payoff[chance.integers(size)] = payoff[chance.integers(size)]
        assert solved(payoff)[1] <= 1e-11


def test_what_is_left_in_a_larger_workspace_changes_nothing() -> None:
    """Pivots work on rows of a multiple of four cells, of which some belong to no column."""
    chance = np.random.default_rng(3)
    for height, width in ((2, 2), (3, 4), (5, 6), (6, 5), (7, 9)):
        payoff = chance.standard_normal((height, width))
        exact = solved(payoff)
        larger = make_workspace(15, 15)
        for row in (*larger.dictionary.cells, larger.dictionary.scratch):
            row[:] = [-5.0] * len(row)
        lower, upper = solve_game(larger, payoff.tolist(), height, width)
        assert ((lower + upper) / 2, upper - lower) == exact[:2]
        assert larger.row_mix[:height] == exact[2].row_mix
        assert larger.column_mix[:width] == exact[2].column_mix


@pytest.mark.long
@given(matrices)
@settings(max_examples=40)
def test_the_named_mix_is_the_one_the_rule_names(rows: list[list[float]]) -> None:
    """Step by step as the rule is written, by linear programs of somebody else's."""
    payoff = np.array(rows)
    value = solved(payoff)[0]
    mix = np.array(selected_mix(payoff))
    assert (mix @ payoff).min() >= value - 1e-9
    assert mix == pytest.approx(dresher(payoff, value), abs=1e-5)


@pytest.mark.no_cover
def test_compiled_and_interpreted_name_the_same_mix() -> None:
    select = shared_kernel(fill_selected_mixes)
    chance = np.random.default_rng(3)
    work = make_workspace(9, 9, np.array)
    for _ in range(300):
        height, width = (int(size) for size in chance.integers(1, 10, 2))
        payoff = chance.choice([-1.0, 0.0, 0.0, 1.0], (height, width))
        targets = np.arange(payoff.size, dtype=np.int32).reshape(1, height, width)
        values = np.append(payoff.ravel(), -1.0)  # the last is what the game is worth at least
        shares = np.zeros((1, height))
        work.row_mix[:] = 7.0
        place, links = np.array([payoff.size]), (targets, np.empty((0, 0, 0)), False)
        select(0, 1, values, place, links, 0, shares, work)
        assert shares[0] == pytest.approx(selected_mix(payoff), abs=1e-12)


def test_mixes_gain_from_mistakes_and_then_take_the_smallest_number() -> None:
    assert selected_mix([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]) == [0, 1]
    assert selected_mix([[0.0] * 3] * 3) == [1, 0, 0]
    assert selected_mix([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]) == pytest.approx([0.5, 0.5])
    rps = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
    assert selected_mix(rps) == pytest.approx([1 / 3] * 3)
