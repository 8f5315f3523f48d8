"""What a turn of Clash of Numbers is said to have done."""

import pytest

from evenodds.core.match import Match
from evenodds.core.vocabulary import PASS
from evenodds.render.narration import summarize_round


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (1, "Player 1 adds 1, a factor of 4, and pulls Player 2 back by 1."),
        (4, "Player 1 adds 4, the same number, and pulls Player 2 back by 4."),
        (5, "Player 1 adds 5."),
        (8, "Player 1 adds 8, a multiple of 4, and pulls Player 2 back by 4."),
    ],
)
def test_a_turn_says_why_it_pulls_the_other_back(number: int, said: str) -> None:
    match = Match("factors")
    for picks in ((9, PASS), (PASS, 4), (number, PASS)):
        match.play(picks)
    assert summarize_round(match) == said
