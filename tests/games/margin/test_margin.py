"""Claims of Number Clash: Five Rounds, found a second way."""

import evenodds
from evenodds import SECOND
from tests.support import naive
from tests.support.claim_results import claimed, every_line, matrices


def test_points_cancel_on_every_line_of_margin() -> None:
    rules: naive.Rulings = {"numbers": 4, "last_round": "final"}
    for line in every_line("margin", numbers=4):
        first, second = naive.judge("margin", rules, line.picks).figures["points"]
        assert first == second
    assert claimed("margin", numbers=4)["points decide"].verdict == "fails"
    assert "576 lines" in claimed("margin", numbers=4)["points decide"].evidence


def test_what_a_first_number_is_worth_if_known() -> None:
    solution = evenodds.solve(evenodds.game("margin", numbers=4))
    _, _, (first, second), matrix = next(
        found for found in matrices("margin", numbers=4) if found[0] == solution.start
    )
    mix = solution.mix(solution.start, SECOND)
    known = sum(
        mix.get(number, 0.0) * float(max(matrix[row][column] for row in range(len(first))))
        for column, number in enumerate(second)
    )
    said = claimed("margin", numbers=4)["prediction"].evidence
    assert f"would score {naive.percent(0.5 + known / 2)} instead of 50%" in said
