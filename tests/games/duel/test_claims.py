"""Claims of Number Duel, found a second way."""

import pytest

from tests.support.claim_results import matrices, promised


@pytest.mark.parametrize("knockout", ["higher", "draw"])
def test_the_highest_number_is_safe_in_any_health(knockout: str) -> None:
    """In rational numbers it secures the value everywhere, so caution and variety gain nothing."""
    for state, value, _, matrix in matrices("duel", hp=5, knockout=knockout):
        assert min(matrix[-1]) == value, state
    found = promised("duel", hp=5, knockout=knockout)
    assert found["bluffing"].evidence.startswith("You lose nothing by choosing 3 in every round")
    assert found["caution"].evidence == (
        "With 2.5 HP or less 3 is right in 100% of decisions that matter, with more in 100%."
    )
