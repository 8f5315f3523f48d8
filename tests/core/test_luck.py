"""What chance draws, and points: in a match, in notation, and in what is said of them."""

import re

import pytest

from evenodds import Match, notation
from evenodds.coach.review_text import result_line
from evenodds.core.luck import Dice, commitment
from evenodds.core.notation import BadNotation
from evenodds.core.notation.verify import verify_all
from evenodds.core.words import names_to
from evenodds.render import narration

pytestmark = pytest.mark.usefixtures("example_games")
DICE = Dice("m", commitment("m", "a1"), "a1")


def played(*picks: tuple[int, int]) -> Match:
    match = Match("goofspiel", {"cards": 3, "score": "points"}, seed="a1")
    for pair in picks or [(1, 3), (2, 1), (3, 2)]:
        match.play(pair)
    return match


def test_what_is_taken_back_is_drawn_again() -> None:
    match, other = played((1, 3)), played((3, 3))
    match.undo()
    match.play((3, 3))
    assert match.draws == other.draws


def test_draws_stand_in_notation() -> None:
    """What a seed draws is the same for ever: records are verified by it."""
    text = notation.write(played(), dice=DICE)
    assert text.endswith("\n\n(1) 1-3(2) 2-1(3) 3-2 first\n")
    assert notation.parse(text) == played()
    (found,) = verify_all(text)
    assert found.dice == DICE


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ((r"^\(.\) ", ""), "line 7, column 1: what was drawn here is missing"),
        ((r"1-3\(.\)", "1-3"), "line 7, column 5: what was drawn here is missing"),
        ((r"1-3\(.\)", r"1-3(4)"), "line 7, column 5: 4 cannot be drawn; allowed: "),
        ((r"(3-2)", r"\1(1)"), "line 7, column 19: nothing is drawn here"),
        ((r"2-1(\(.\))", r"2-1\1 \1"), "draws stand alone only before the first round"),
        ((":a1", ":a2"), "line 5, column 1: the seed is not the one that was promised"),
        ((":a1", ""), "line 5, column 1: the match is over, and its seed is missing"),
        (("m:[0-9a-f]", "m:x"), "line 5, column 1: dice are written ID:COMMITMENT:SEED"),
    ],
)
def test_wrong_draws_are_refused_with_a_place(change: tuple[str, str], problem: str) -> None:
    text = notation.write(played(), dice=DICE)
    with pytest.raises(BadNotation, match=re.escape(problem)):
        verify_all(re.sub(*change, text, count=1, flags=re.MULTILINE))


def test_a_draw_that_does_not_follow_from_the_seed_is_named() -> None:
    text = notation.write(played(), dice=DICE).replace("1-3(2) 2-1(3)", "1-3(3) 2-1(2)")
    fault = "line 7, column 8: 3 was not drawn here: by the seed it is 2"
    with pytest.raises(BadNotation, match=fault):
        verify_all(text)


def test_a_line_of_play_may_begin_with_draws() -> None:
    match = Match("goofspiel", {"cards": 4})
    notation.play_line(match, "(3) 1-2(2) 2-1(4)")
    assert match.draws == ((3,), (2,), (4,))
    turns = Match("pig")
    notation.play_line(turns, "1(4) 1(1) 1(6)")
    assert turns.draws == ((), (4,), (1,), (6,))
    with pytest.raises(BadNotation, match="line 1, column 1: what was drawn here is missing"):
        notation.play_line(Match("pig"), "1")


def test_draws_and_points_are_told() -> None:
    match, names = played((1, 3)), names_to(1)
    assert narration.describe_rounds(match)[2:] == ["Drawn: 2.", "Player 2 leads by 1 point."]
    assert narration.tell_round(match, 1, names).endswith(" Drawn: 2. You lead by 1 point.")
    match = played()
    assert match.result
    assert (match.leads, match.margin) == ((0, -1, 1, 4), 4)
    assert narration.tell_ending(match, match.result, names) == "Your opponent wins by 4 points."
    assert narration.describe_ending(match, match.result)[-1] == "Player 1 wins by 4 points."
    assert result_line(match) == "Player 1 won by 4 points."
