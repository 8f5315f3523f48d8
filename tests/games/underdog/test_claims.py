"""Claims of Number Clash: First to Three, found a second way."""

import re
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from evenodds.figures.formatting import percent
from tests.games.underdog.naive import round_winner
from tests.support import naive
from tests.support.claim_results import every_line, facts_of, matrices, promised

UNDERDOGS = [
    {"numbers": numbers, "target": target, "gap": gap, "exhausted": exhausted}
    for numbers, target, gap in [(2, 1, 1), (2, 2, 1), (3, 2, 2), (4, 2, 0), (4, 3, 1), (4, 4, 1)]
    for exhausted in ("score", "draw")
]


@pytest.mark.long
@pytest.mark.parametrize("rules", UNDERDOGS, ids=str)
def test_numbers_that_lead_to_victory_are_those_of_some_line(rules: dict[str, Any]) -> None:
    """Those that win a round for the winner, on all lines written out by the naive rules."""
    winning: set[int] = set()
    empty = 0.0
    for line in every_line("underdog", **rules):
        judged = naive.judge("underdog", rules, line.picks)
        empty += line.share * (max(judged.figures["scores"]) < rules["target"])
        for pair in line.picks:
            winner = round_winner(*pair, rules["gap"])
            if winner == judged.result != "nobody":
                winning.add(pair[winner == "second"])
    found = promised("underdog", **rules)
    useless = set(range(1, rules["numbers"] + 1)) - winning
    assert found["every number"].verdict == ("fails" if useless else "holds")
    if useless:
        assert {int(one) for one in re.findall(r"\d+", found["every number"].evidence)} == useless
    assert f"in {percent(empty)} of matches between random" in found["three points"].evidence
    pool = range(1, rules["numbers"] + 1)
    lower = sum(
        round_winner(a, b, rules["gap"]) == "first" for a, b in product(pool, pool) if a < b
    )
    assert found["underdogs win"].evidence.endswith(f"the lower wins {lower}.")


@pytest.mark.long
@pytest.mark.parametrize("rules", UNDERDOGS, ids=str)
def test_ties_that_cost_are_those_of_all_positions(rules: dict[str, Any]) -> None:
    """In rational numbers, tie by tie; the line ends with the one that costs most."""
    ties = costly = 0
    most = Fraction(0)
    for _, value, (first, second), matrix in matrices("underdog", **rules):
        for one, two in product(range(len(first)), range(len(second))):
            if first[one] == second[two]:
                ties += 1
                costly += matrix[one][two] != value
                most = max(most, abs(Fraction(matrix[one][two]) - value))
    found = facts_of("underdog", **rules).ties()
    assert (found.possible, found.costly) == (ties, costly)
    assert found.before - found.after == pytest.approx(float(most) / 2)
    kept = promised("underdog", **rules)["ties cost"]
    assert kept.verdict == ("holds" if costly else "fails")
    assert bool(kept.line) == bool(costly)
    if costly:
        assert len(set(kept.line.split()[-1].split("-"))) == 1


def test_a_tie_in_the_first_round_is_worth_nothing_but_a_later_one_may_be() -> None:
    """So a check that looks at the first round alone could only fail."""
    found = promised("underdog", numbers=4, target=2)["ties cost"]
    assert found.verdict == "holds"
    assert len(found.line.split()) > 1
    assert promised("underdog", numbers=4, target=1)["ties cost"].verdict == "fails"
