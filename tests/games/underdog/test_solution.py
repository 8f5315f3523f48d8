"""The solution of Number Clash: First to Three."""

import numpy as np
import pytest

import evenodds
from evenodds.core.match import Match
from evenodds.core.vocabulary import FIRST, SECOND
from tests.support.scipy_solver import scipy_value


@pytest.mark.no_cover
@pytest.mark.xdist_group("compiled")
def test_default_underdog_is_fair_deep_and_certified() -> None:
    """All 639,536 positions, each gap small, and nearly every number in the opening mix."""
    solution = evenodds.solve("underdog")
    assert solution.positions == 639_536
    assert solution.value(solution.start) == 0
    assert solution.gap <= 1e-9
    opening = solution.mix(solution.start, FIRST)
    assert len(opening) >= 8
    assert opening == solution.mix(solution.start, SECOND)
    assert sum(opening.values()) == pytest.approx(1)
    chance = np.random.default_rng(1)
    for _ in range(60):
        match = Match("underdog")
        for _ in range(int(chance.integers(0, 5))):
            if not match.result:
                match.play(
                    (int(chance.choice(match.choices(0))), int(chance.choice(match.choices(1))))
                )
        if not match.result:
            matrix = np.array(solution.matrix(match.state).payoff)
            assert solution.value(match.state) == pytest.approx(scipy_value(matrix), abs=1e-7)
