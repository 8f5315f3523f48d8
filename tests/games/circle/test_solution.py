"""The solution of Number Circle Duel."""

import pytest

import evenodds


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize("numbers", range(1, 13))
@pytest.mark.parametrize("reach", [1, 2, 3])
def test_whoever_begins_wins_exactly_on_odd_rings(numbers: int, reach: int) -> None:
    solution = evenodds.solve(evenodds.game("circle", numbers=numbers, reach=reach))
    assert solution.value(solution.start) == (1 if numbers % 2 else -1)
