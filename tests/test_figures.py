"""Shares as per cent, and intervals of what is sampled."""

import pytest

from evenodds.figures import Estimate, mean, percent, percent_of_possible, share


def test_intervals_of_rare_and_certain_things() -> None:
    assert share(0, 1000).high == pytest.approx(0.003, abs=0.001)
    assert share(1000, 1000).low == pytest.approx(0.997, abs=0.001)
    assert mean({4: 10}) == Estimate(4.0, 4.0, 4.0)


def test_what_can_happen_is_never_shown_as_nothing() -> None:
    seldom = 1e-12
    assert [percent(seldom), percent_of_possible(seldom)] == ["0%", "<0.1%"]
    assert percent_of_possible(0.25) == percent(0.25) == "25%"
