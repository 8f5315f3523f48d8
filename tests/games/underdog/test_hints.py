"""What hints say of Number Clash: First to Three."""

import re
from math import inf

import evenodds
from evenodds.core.vocabulary import FIRST, SEATS
from evenodds.solver.interpreted import StateGraph


def test_underdogs_own_sentence_holds() -> None:
    """It names the numbers after which no reply wins a point, at every position."""
    game = evenodds.get("underdog")
    for state in StateGraph(game, game.rulings(numbers=4), inf).states:
        for seat in SEATS:
            named = {int(word) for word in re.findall(r"\d+", game.words.hint(state, seat))}
            other = 1 - seat
            safe = {
                number
                for number in game.picks(state, seat)
                if all(
                    game.step(state, (number, reply) if seat == FIRST else (reply, number)).scores[
                        other
                    ]
                    == state.scores[other]
                    for reply in game.picks(state, other)
                )
            }
            assert named == safe
