"""What hints say of Clash of Numbers."""

import re
from math import inf
from typing import Any

import pytest

import evenodds
from evenodds.core.vocabulary import FIRST, PASS
from evenodds.solver.interpreted import StateGraph


@pytest.mark.long
@pytest.mark.parametrize("given", [{"target": 12}, {"target": 14, "numbers": 12, "same": "twice"}])
def test_factors_own_sentence_holds(given: dict[str, Any]) -> None:
    """It names what takes most, and how much: never more than the other has."""
    game = evenodds.get("factors")
    for state in StateGraph(game, game.settle(given), inf).states:
        seat = state.turn
        said = game.words.hint(state, seat)
        taken = {}
        for number in game.picks(state, seat):
            pair = (number, PASS) if seat == FIRST else (PASS, number)
            taken[number] = state.scores[1 - seat] - game.step(state, pair).scores[1 - seat]
        most = max(taken.values())
        named = [int(word) for word in re.findall(r"\d+(?! other)", said)]
        if most == 0:
            assert said == ""
        elif set(taken.values()) == {most}:
            assert said == f"Every number takes {most} from your opponent."
        else:
            takers = [number for number, cost in taken.items() if cost == most]
            assert named == [*takers[:4], most]
            assert ("other" in said.split(" take")[0]) == (len(takers) > 4)
        assert len(said) < 70
