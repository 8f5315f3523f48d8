"""The solution of Clash of Numbers."""

import pytest

import evenodds


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("target", "value"), [*((t, 1.0) for t in range(1, 19)), (19, 0.0), (25, 0.0)]
)
def test_factors_up_to_18_are_won_by_first(target: int, value: float) -> None:
    solution = evenodds.solve(evenodds.game("factors", target=target))
    assert solution.value(solution.start) == value
