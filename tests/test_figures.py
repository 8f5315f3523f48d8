"""Estimates: intervals of what is sampled."""

import pytest

from evenodds.figures import Estimate, mean, share


def test_intervals_of_rare_and_certain_things() -> None:
    assert share(0, 1000).high == pytest.approx(0.003, abs=0.001)
    assert share(1000, 1000).low == pytest.approx(0.997, abs=0.001)
    assert mean({4: 10}) == Estimate(4.0, 4.0, 4.0)
