"""Number Clash: First to Three alone: its solution, its claims found a second way, its hints."""

import re
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

import evenodds
from evenodds import FIRST, SECOND, Match
from tests.games.underdog.naive import round_winner
from tests.support import naive
from tests.support.claim_results import claimed, every_line, facts_of, matrices
from tests.support.play import SEATS, by_chance, pairs, play, positions
from tests.support.scipy_solver import scipy_value

UNDERDOGS = [
    {"numbers": numbers, "target": target, "gap": gap, "exhausted": exhausted}
    for numbers, target, gap in [(2, 1, 1), (2, 2, 1), (3, 2, 2), (4, 2, 0), (4, 3, 1), (4, 4, 1)]
    for exhausted in ("score", "draw")
]


@pytest.mark.long
@pytest.mark.parametrize("rules", UNDERDOGS, ids=str)
def test_numbers_that_lead_to_victory_are_those_of_some_line(rules: dict[str, Any]) -> None:
    winning: set[int] = set()
    empty = 0.0
    for line in every_line("underdog", **rules):
        judged = naive.judge("underdog", rules, line.picks)
        empty += line.share * (max(judged.figures["scores"]) < rules["target"])
        for pair in line.picks:
            winner = round_winner(*pair, rules["gap"])
            if winner == judged.result != "nobody":
                winning.add(pair[winner == "second"])
    found = claimed("underdog", **rules)
    useless = set(range(1, rules["numbers"] + 1)) - winning
    assert found["every number"].verdict == ("fails" if useless else "holds")
    if useless:
        assert {int(one) for one in re.findall(r"\d+", found["every number"].evidence)} == useless
    assert f"in {naive.percent(empty)} of matches between random" in found["three points"].evidence
    pool = range(1, rules["numbers"] + 1)
    lower = sum(
        round_winner(a, b, rules["gap"]) == "first" for a, b in product(pool, pool) if a < b
    )
    assert found["underdogs win"].evidence.endswith(f"the lower wins {lower}.")


@pytest.mark.long
@pytest.mark.parametrize("rules", UNDERDOGS, ids=str)
def test_ties_that_cost_are_those_of_all_positions(rules: dict[str, Any]) -> None:
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
    kept = claimed("underdog", **rules)["ties cost"]
    assert kept.verdict == ("holds" if costly else "fails")
    assert bool(kept.line) == bool(costly)
    if costly:
        assert len(set(kept.line.split()[-1].split("-"))) == 1


def test_underdogs_own_sentence_holds() -> None:
    game, rulings = evenodds.game("underdog", numbers=4)
    for state, seat in product(positions(game, rulings), SEATS):
        named = {int(word) for word in re.findall(r"\d+", game.words.hint(state, seat))}
        losing = {
            picks[seat]
            for picks in pairs(game, state)
            if game.step(state, picks).scores[1 - seat] != state.scores[1 - seat]
        }
        assert named == set(game.picks(state, seat)) - losing


@pytest.mark.no_cover
@pytest.mark.xdist_group("compiled")
def test_default_underdog_is_fair_deep_and_certified() -> None:
    solution = evenodds.solve("underdog")
    assert solution.positions == 639_536
    assert solution.value(solution.start) == 0
    assert solution.gap <= 1e-9
    opening = solution.mix(solution.start, FIRST)
    assert len(opening) >= 8
    assert opening == solution.mix(solution.start, SECOND)
    assert sum(opening.values()) == pytest.approx(1)
    chance = Random(1)
    for _ in range(20):
        match = play(Match("underdog"), by_chance(chance), rounds=chance.randrange(5))
        if not match.result:
            matrix = np.array(solution.matrix(match.state).payoff)
            assert solution.value(match.state) == pytest.approx(scipy_value(matrix), abs=1e-7)
