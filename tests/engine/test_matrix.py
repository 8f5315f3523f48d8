"""`evenodds.matrix.solve`: one game or many, of any scale, certified."""

import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenodds.engine.matrix import BadPayoffs, Equilibrium, solve
from tests.support.exact import matrix_value

SCALES = (1.0, 1e-200, 1e-9, 3.0, 1e6, 1e300)

DEGENERATE: dict[str, list[list[float]]] = {
    "one entry": [[5]],
    "all equal": [[2, 2, 2], [2, 2, 2]],
    "one row": [[3, 1, 2]],
    "one column": [[3], [1], [2]],
    "equal rows": [[1, -1], [1, -1], [-1, 1]],
    "equal columns": [[1, 1, -1], [-1, -1, 1]],
    "a dominated row": [[0, -1, 1], [1, 0, -1], [-1, 1, 0], [-2, -2, -2]],
    "many saddles": [[0, 0, 1], [0, 0, 1], [-1, -1, 5]],
    "a family of mixes": [[0, 0, 0, 1], [0, 0, 1, 0], [1, 1, 0, 0]],
    "rank one": [[a * b for b in (1, 2, 3, 4)] for a in (-2, -1, 1, 2)],
    "a zero matrix with one win": [[0, 0], [0, 1]],
    "cycling under Dantzig's rule": [[0.5, -5.5, -2.5, 9], [0.5, -1.5, -0.5, 1], [1, 0, 0, 0]],
    "nearly equal": [[1, 1 + 1e-15], [1 + 1e-15, 1]],
    "far from zero": [[1e12 + 1, 1e12 - 1], [1e12 - 1, 1e12 + 1]],
    "one entry dwarfs all": [[1e15, 0, 1], [0, 1, 0], [1, 0, 1]],
}

some_matrices = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(-3, 3).map(float), min_size=size[1], max_size=size[1]),
        min_size=size[0],
        max_size=size[0],
    )
)


def is_certified(payoff: Any, found: Equilibrium, exact: Fraction) -> None:
    """The value is right, the mixes guarantee it within the gap, and the gap is rounding."""
    matrix = np.array(payoff)
    size = float(np.abs(matrix).max()) or 1.0
    assert found.gap <= 1e-12 * size
    assert abs(Fraction(found.value) - exact) <= found.gap + 1e-14 * size
    for mix in (found.row_mix, found.column_mix):
        assert min(mix) >= 0
        assert sum(mix) == pytest.approx(1, abs=1e-12)
    assert (np.array(found.row_mix) @ matrix).min() >= found.value - found.gap - 1e-14 * size
    assert (matrix @ np.array(found.column_mix)).max() <= found.value + found.gap + 1e-14 * size


@pytest.mark.parametrize("payoff", DEGENERATE.values(), ids=DEGENERATE)
@pytest.mark.parametrize("transposed", [False, True])
def test_degenerate_games_are_exact(payoff: list[list[float]], transposed: bool) -> None:
    if transposed:
        payoff = [[-entry for entry in column] for column in zip(*payoff, strict=True)]
    is_certified(payoff, solve(payoff), matrix_value(_rational(payoff)))


@pytest.mark.long
@given(some_matrices, st.sampled_from(SCALES), st.sampled_from((0.0, 7.0, -1e6)))
@settings(max_examples=80, deadline=None)
def test_payoffs_of_any_scale_are_exact(
    payoff: list[list[float]], scale: float, offset: float
) -> None:
    payoff = [[(entry + offset) * scale for entry in row] for row in payoff]
    is_certified(payoff, solve(payoff), matrix_value(_rational(payoff)))


def _rational(payoff: list[list[float]]) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(map(Fraction, row)) for row in payoff)


@pytest.mark.xdist_group("compiled")
@pytest.mark.parametrize("shape", [(600, 4, 3), (2, 3, 5, 5), (3, 4), (0, 2, 2)])
def test_a_batch_is_what_one_by_one_is(shape: tuple[int, ...]) -> None:
    games = np.random.default_rng(3).integers(-4, 5, shape)
    found = solve(games[..., ::-1])
    assert found.value.shape == found.gap.shape == shape[:-2]
    assert found.row_mix.shape == shape[:-1]
    assert found.column_mix.shape == (*shape[:-2], shape[-1])
    for place in np.ndindex(*shape[:-2]):
        one = solve(games[..., ::-1][place].tolist())
        assert found.value[place] == pytest.approx(one.value, abs=1e-12)
        assert found.row_mix[place] == pytest.approx(one.row_mix, abs=1e-12)
        assert found.column_mix[place] == pytest.approx(one.column_mix, abs=1e-12)
        assert found.gap[place] < 1e-12


@pytest.mark.xdist_group("compiled")
def test_a_list_of_matrices_is_a_batch() -> None:
    found = solve([[[3.0, -1.0], [-1.0, 1.0]], [[1.0, 2.0], [3.0, 4.0]]])
    assert found.value == pytest.approx([1 / 3, 3])


NAN, INF = float("nan"), float("inf")
WRONG: dict[str, list[Any]] = {
    "at least one row": [[], [[]]],
    "all of the same length": [[[1, 2], [3]]],
    "rows of numbers": [[1, 2], "12", None, [["a", "b"]], [[10**400, 1]], [[1j, 2]]],
    "finite": [
        [[1.0, NAN]],
        [[NAN, 1.0]],
        [[1.0, INF]],
        [[1e308, -1e308]],
        np.array([[[1.0, NAN]]]),
    ],
    r"not \(3,\)": [np.zeros((3,))],
    r"not \(4, 0, 3\)": [np.zeros((4, 0, 3))],
    "array of numbers": [np.array([["a"]]), np.array([[1j]])],
    "all games of one size": [[[[1.0, 2.0]], [[1.0]]]],
}


@pytest.mark.parametrize(
    ("payoffs", "line"), [(wrong, line) for line, some in WRONG.items() for wrong in some]
)
def test_wrong_payoffs_are_refused_in_one_line(payoffs: Any, line: str) -> None:
    for device in ("cpu", "gpu"):  # payoffs are judged before a GPU is asked for
        with pytest.raises(BadPayoffs, match=line):
            solve(payoffs, device=device)


@pytest.mark.xdist_group("compiled")
def test_payoffs_of_mixed_magnitude_are_solved_again_exactly() -> None:
    """Rounding of the large payoffs would hide the small ones, alone and in a batch."""
    payoff = [[1.0, -1.0, -2.0], [-1.0, 1.0, -2.0], [-1e12, -1e12, 1e12]]
    exact = matrix_value(tuple(tuple(map(Fraction, row)) for row in payoff))
    found = solve(payoff)
    assert found.value == float(exact)
    assert found.gap < 1e-12
    batch = solve([[[3.0, -1.0, 0.0], [-1.0, 1.0, 0.5], [0.0, 0.0, 0.0]], payoff])
    assert batch.value[1] == found.value
    assert batch.row_mix[1].tolist() == found.row_mix
    assert batch.column_mix[1].tolist() == found.column_mix
    assert batch.gap.max() < 1e-12


@pytest.mark.processes
def test_lists_need_no_numpy() -> None:
    code = """
import sys
sys.modules["numpy"] = None
from evenodds import matrix
print(matrix.solve([[3, -1], [-1, 1]]).value)
print(matrix.solve([[1, -1, -2], [-1, 1, -2], [-1e12, -1e12, 1e12]]).value)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert [float(line) for line in done.stdout.split()] == pytest.approx([1 / 3, -1.0], abs=1e-9)
