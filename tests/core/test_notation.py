"""Notation: what it looks like, what it takes, and how it refuses."""

from datetime import date
from time import process_time
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenodds import FIRST, SECOND, EvenOddsError, IllegalPick, Match, Outcome, notation
from evenodds.core.match import annul
from tests.support.play import play
from tests.support.strategies import matches

BadNotation = notation.BadNotation


def test_a_simultaneous_match_as_text() -> None:
    match = Match(
        "underdog", {"target": 2}, players=("Red", 'Blue "the"\\ fox'), date=date(2026, 1, 31)
    )
    match.play((7, 8))
    match.play((10, 6))
    assert notation.write(match) == (
        '[Game "underdog"]\n'
        '[Rulings "target=2"]\n'
        '[Player1 "Red"]\n'
        '[Player2 "Blue \\"the\\"\\\\ fox"]\n'
        '[Date "2026-01-31"]\n'
        "\n"
        "7-8 10-6 first\n"
    )
    assert notation.parse(notation.write(match)) == match


def test_a_match_of_turns_as_text() -> None:
    match = Match("circle", first=SECOND, repetition=0, computers=("", "random"))
    for number in (4, 5, 6):
        match.pick(match.waiting()[0], number)
    match.undo()
    match.resign(SECOND)
    assert notation.write(match) == (
        '[Game "circle"]\n'
        '[Player1 "Player 1"]\n'
        '[Player2 "Player 2"]\n'
        '[Computer2 "random"]\n'
        '[First "2"]\n'
        '[Repetition "0"]\n'
        '[Reason "resigned"]\n'
        '[TakenBack "yes"]\n'
        "\n"
        "4 5 first\n"
    )
    assert notation.parse(notation.write(match)) == match


def test_a_pending_pick_is_not_in_notation() -> None:
    match = Match("duel")
    match.play((1, 2))
    text = notation.write(match)
    match.pick(FIRST, 3)
    assert notation.write(match) == text


def test_little_needs_to_be_typed() -> None:
    match = notation.parse('\ufeff [Game "duel"]\r\n\r\n  1-2\t3-3\r\n*\r\n')
    assert match.history == ((1, 2), (3, 3))
    assert match.terms.players == ("Player 1", "Player 2")


def test_a_repetition_may_say_its_reason_or_not() -> None:
    match = play(Match("factors", {"opening": "live", "numbers": 1}))
    text = notation.write(match)
    assert '[Reason "repetition"]' in text
    assert notation.parse(text) == match
    assert notation.parse(text.replace('[Reason "repetition"]\n', "")) == match


@pytest.mark.parametrize("reason", ["void", "cancelled"])
def test_a_match_without_a_result_says_so(reason: str) -> None:
    match = Match("duel")
    annul(match, reason)
    text = notation.write(match)
    assert f'[Reason "{reason}"]' in text
    assert text.endswith("\ndraw\n")
    assert notation.parse(text) == match == Match.rebuild(match.record)
    assert not match.waiting()
    with pytest.raises(IllegalPick, match="the match is over"):
        match.undo()
    with pytest.raises(BadNotation, match="the result of these picks is draw"):
        notation.parse(text.replace("\ndraw", "\n*"))
    with pytest.raises(ValueError, match="makes no match void"):
        annul(Match("duel"), "time")


def test_long_matches_are_broken_into_lines() -> None:
    match = play(Match("factors", {"target": 1000}, repetition=0), rounds=100)
    text = notation.write(match)
    assert max(map(len, text.splitlines())) <= 78
    assert notation.parse(text) == match


@pytest.mark.long
@settings(max_examples=30)
@given(st.lists(matches(largest=6), max_size=4))
def test_a_text_holds_any_number_of_matches(found: list[Match]) -> None:
    assert notation.parse_all(notation.write_all(found)) == found


@given(st.text() | st.text(alphabet='[]"\\Game circle0123456789-*\n'))
def test_no_text_breaks_the_reader(text: str) -> None:
    refusal: Any = None
    try:
        notation.parse_all(text)
    except BadNotation as error:
        refusal = error
    if refusal:
        assert refusal.line >= 1
        assert refusal.column >= 1
        assert "\n" not in str(refusal)


CIRCLE = '[Game "circle"]\n'
DUEL = '[Game "duel"]\n'


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("4 5 6 *", (1, 1), 'a match begins with its tags, such as [Game "circle"]'),
        ('[Player1 "Red"]\n*', (1, 1), "the tag Game is missing"),
        ('[Game "chess"]\n*', (1, 1), 'there is no game called "chess"'),
        ("[Game circle]\n*", (1, 1), 'a tag is written [Name "value"]'),
        ('[Game "circle]\n*', (1, 1), 'a tag is written [Name "value"]'),
        ('[Gme "circle"]\n*', (1, 1), "there is no tag Gme; there are Game, Rulings"),
        (CIRCLE * 2 + "*", (2, 1), "the tag Game stands here twice"),
        (CIRCLE + '  [Rulings "numbers=99"]\n*', (2, 3), "numbers=99 is not allowed"),
        (CIRCLE + '[Rulings "numbers"]\n*', (2, 1), "rulings are written once each as key=value"),
        (CIRCLE + '[Rulings "reach=1 reach=2"]\n*', (2, 1), "once each"),
        (CIRCLE + '[Player2 ""]\n*', (2, 1), "1 to 20 characters"),
        (CIRCLE + '[Player1 "Player 2"]\n*', (2, 1), "both players would be called Player 2"),
        (CIRCLE + '[First "3"]\n*', (2, 1), "first=3 is not allowed"),
        (CIRCLE + '[First "two"]\n*', (2, 1), "two is not a whole number"),
        (DUEL + '[First "2"]\n*', (2, 1), "in duel both players pick at once"),
        (CIRCLE + '[Repetition "1"]\n*', (2, 1), "repetition=1 is not allowed"),
        (CIRCLE + '[Date "yesterday"]\n*', (2, 1), "a date is written 2026-01-31"),
        (CIRCLE + '[Reason "boredom"]\n*', (2, 1), "boredom is not allowed; allowed: repetition"),
        (CIRCLE + '[Reason "resigned"]\n4 *', (2, 1), "resigned needs a winner"),
        (CIRCLE + '[Reason "repetition"]\n4 draw', (2, 1), "no position has come up often enough"),
        (CIRCLE + '[TakenBack "no"]\n*', (2, 1), "no is not allowed; allowed: yes"),
        (CIRCLE + '[Rulings "numbers=1"]\n[Reason "time"]\n1 first', (3, 1), "the match is over"),
        (CIRCLE + "\n4 7 *", (3, 3), "7 is not next to 4"),
        (CIRCLE + "\n4 5-6 *", (3, 3), "a round is written 7, one number; not 5-6"),
        (DUEL + "\n1 *", (3, 1), "a round is written 7-8, a number for each player; not 1"),
        (DUEL + "\n1-2-3 *", (3, 1), "a round is written 7-8"),
        (DUEL + "\n1-4 *", (3, 1), "4 is not a number from 1 to 3"),
        (DUEL + "\n1-two *", (3, 1), "1-two is neither a pick nor a result"),
        (DUEL + "\n1-" + "9" * 10_000 + " *", (3, 1), "is neither a pick nor a result"),
        (DUEL + "\n1-２ *", (3, 1), "is neither a pick nor a result"),
        (DUEL + "\n1-2", (3, 1), "the match has no result; it ends with first, second, draw or *"),
        (DUEL, (1, 1), "the match has no result"),
        (DUEL + "\n1-2 first", (3, 5), "the result of these picks is *, not first"),
        (DUEL + "\n1-2 * 1-2", (3, 7), "1-2 stands after the result"),
        (CIRCLE + '[Rulings "numbers=1"]\n1 2 first', (3, 3), "the match is over"),
        (CIRCLE + '[Rulings "numbers=1"]\n1 second', (3, 3), "the result of these picks is first"),
    ],
)
def test_bad_text_is_refused_with_a_place(text: str, place: tuple[int, int], problem: str) -> None:
    with pytest.raises(BadNotation) as caught:
        notation.parse(text)
    assert (caught.value.line, caught.value.column) == place
    assert problem in caught.value.problem
    assert str(caught.value).startswith(f"line {place[0]}, column {place[1]}: ")
    assert len(str(caught.value)) < 240


def test_what_is_not_a_match_is_not_written() -> None:
    with pytest.raises(EvenOddsError, match=r"^a match is written in notation, not NoneType$"):
        notation.write(cast("Match", None))


def test_one_match_is_one_match() -> None:
    with pytest.raises(BadNotation, match="there are 0 matches here, not one"):
        notation.parse("\n\n")
    with pytest.raises(BadNotation, match="there are 2 matches here"):
        notation.parse(DUEL + "*\n" + CIRCLE + "*")


def test_picks_can_be_played_on() -> None:
    match = Match("underdog")
    notation.play_line(match, "7-8 10-6")
    assert match.history == ((7, 8), (10, 6))
    with pytest.raises(BadNotation, match="line 1, column 5: Player 2: 6 has already been played"):
        notation.play_line(match, "1-1 5-6")
    with pytest.raises(BadNotation, match="line 1, column 5: first is a result"):
        notation.play_line(match, "2-2 first")
    turns = Match("circle")
    notation.play_line(turns, "4 5")
    assert turns.names[turns.waiting()[0]] == "Player 1"
    assert turns.game.outcome(turns.state) == Outcome.ONGOING


def test_a_word_of_many_draws_is_read_at_once() -> None:
    def work(draws: int) -> float:
        began = process_time()
        for end in ("x", "(x)", "((1)"):
            with pytest.raises(notation.BadNotation):
                notation.play_line(Match("duel"), "(1)" * draws + end)
        return process_time() - began

    assert work(32_000) < 0.5 + 24 * work(4000)
