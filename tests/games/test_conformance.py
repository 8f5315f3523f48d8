"""What every game in the catalog keeps to, built in or brought by a package."""

import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenodds.core import notation
from evenodds.core.catalog import AnyGame, built_in, list_games
from evenodds.core.match import Match
from evenodds.core.record import END_REASONS
from evenodds.core.vocabulary import (
    FIRST,
    NOTHING,
    RULES,
    SEATS,
    SECOND,
    Outcome,
    numbers,
    other,
    rule,
)
from evenodds.players.profiles import names_for
from evenodds.render.narration import tell_ending, tell_round
from evenodds.render.rulebook import rulebook_page
from evenodds.system.text import display_width
from tests.support.strategies import matches, rulings

GAMES = list_games()
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)

WIDTH = 60


def small(value: Any) -> bool:
    """Whether a state is named tuples of small whole numbers, all the way down."""
    if isinstance(value, tuple):
        return all(map(small, value))
    return isinstance(value, int) and abs(value) < 2**32


@pytest.mark.long
@every_game
@given(data=st.data())
def test_an_open_game_always_offers_a_choice(game: AnyGame, data: st.DataObject) -> None:
    """Somebody can pick while the game is open, and a seat without a choice has PASS alone."""
    match = data.draw(matches(game))
    for state in match.states:
        if game.outcome(state) != Outcome.ONGOING:
            continue
        offered = [game.legal(state, seat) for seat in SEATS]
        assert all(moves == NOTHING or not moves & NOTHING for moves in offered)
        assert all(moves for moves in offered)
        assert sum(moves != NOTHING for moves in offered) == (2 if game.simultaneous else 1)


@pytest.mark.long
@every_game
@given(data=st.data())
def test_states_are_small_and_know_their_rulings(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    for state in match.states:
        assert small(state)
        assert state.rulings == match.terms.rulings
        assert hash(state) == hash(type(state)(*state))


@pytest.mark.long
@every_game
@given(data=st.data())
def test_the_ending_says_why_and_only_then(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    for state in match.states:
        assert (int(game.ending(state)) == 0) == (game.outcome(state) == Outcome.ONGOING)


@pytest.mark.long
@pytest.mark.parametrize(
    "game", [game for game in GAMES if game.simultaneous], ids=lambda game: game.name
)
@given(data=st.data())
def test_seats_can_be_swapped(game: AnyGame, data: st.DataObject) -> None:
    """Where both pick at once, mirrored picks give the mirrored outcome."""
    match = data.draw(matches(game))
    mirror = game.start(match.terms.rulings)
    for picks in match.history:
        mirror = game.step(mirror, (picks[SECOND], picks[FIRST]))
    outcome = game.outcome(match.state)
    assert game.outcome(mirror) == (outcome if outcome == Outcome.ONGOING else -outcome)
    assert game.legal(mirror, FIRST) == game.legal(match.state, SECOND)


@pytest.mark.long
@every_game
@given(data=st.data())
def test_only_a_game_with_loops_comes_back_to_a_position(
    game: AnyGame, data: st.DataObject
) -> None:
    """Where the game says it has no loops, no position comes up twice."""
    match = data.draw(matches(game))
    if not game.loops:
        assert len(set(match.states)) == len(match.states)


@pytest.mark.long
@every_game
@given(data=st.data())
def test_notation_gives_the_match_again(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    again = notation.parse(notation.write(match))
    assert again == match
    assert again.states == match.states
    assert again.result == match.result


@pytest.mark.long
@every_game
@given(data=st.data())
def test_what_a_game_says_is_printable(game: AnyGame, data: st.DataObject) -> None:
    """No line holds control characters, and every board fits into a narrow terminal."""
    match = data.draw(matches(game))
    words, names = game.words, match.names
    said = words.opening(match.states[0], names)
    for place, picks in enumerate(match.history):
        before, after = match.states[place : place + 2]
        said += words.heading(before, place + 1, names)
        said += words.reveal(before, picks, after, names)
        said += [words.round_summary(before, picks, after, names)]
        assert said[-1].endswith((".", "!"))
    for state in match.states:
        drawn = ["".join(span.text for span in line) for line in words.board(state, names)]
        assert max(map(display_width, drawn)) <= WIDTH
        said += drawn
    if match.result and match.result.reason == "rules":
        closing = words.closing(match.state, match.result.outcome, names)
        assert closing
        said += closing
    for line in said:
        assert not any(unicodedata.category(sign) == "Cc" for sign in line)


@pytest.mark.long
@every_game
@settings(max_examples=20)
@given(data=st.data())
def test_sentences_to_a_player_are_in_the_second_person(game: AnyGame, data: st.DataObject) -> None:
    """`You win`, never `You wins`, `You's` or a capital inside a sentence."""
    match = data.draw(matches(game))
    words, you = game.words, data.draw(st.sampled_from(SEATS))
    computers = ("level:4", "level:4")
    terms = match.terms._replace(players=words.players, computers=computers)
    names = names_for(terms, you)
    assert names[you] == "You"
    assert names[other(you)] == "Level 4"
    said = [
        *(tell_round(match, round, names) for round in range(1, len(match.history) + 1)),
        *([tell_ending(match, match.result, names)] if match.result else []),
        *(line for reason in END_REASONS for line in words.ended(reason, you, names)),
        *(words.request(seat, match.choices(seat), names) for seat in match.waiting()),
        *("".join(span.text for span in line) for line in words.board(match.state, names)),
    ]
    for line in said:
        assert not re.search(r"You (has|is|was|\w+[^s]s)\b|You's|[a-z,:;] You\b", line), line


@pytest.mark.long
@every_game
@given(data=st.data())
def test_every_number_that_is_refused_is_refused_with_a_reason(
    game: AnyGame, data: st.DataObject
) -> None:
    match = data.draw(matches(game))
    number = data.draw(st.integers(0, 40))
    for seat in match.waiting():
        if number not in match.choices(seat):
            why = game.words.refusal(match.state, seat, number)
            assert why.startswith(("not ", "already "))


@every_game
@given(data=st.data())
def test_start_holds_any_rulings(game: AnyGame, data: st.DataObject) -> None:
    state = game.start(data.draw(rulings(game)))
    assert game.outcome(state) == Outcome.ONGOING


@every_game
def test_a_game_is_told_to_players(game: AnyGame) -> None:
    """A title, a line about it that fits, a goal, and a page that names every ruling."""
    assert len(game.summary) <= 58  # a window of 60 columns shows it in its title line
    assert len(game.words.goal(game.rulings())) <= 90
    text = rulebook_page(game)
    assert text.startswith(f"# {game.title}\n")
    assert "tbd" not in text
    assert all(f"`{key}`" in text for key in game.options)
    assert Path(game.page).name == "rulebook.md" or game.name not in built_in()


@every_game
def test_every_rule_function_is_marked(game: AnyGame) -> None:
    listed = RULES[game.start.__module__]
    for function in (game.start, game.legal, game.step, game.outcome, game.ending):
        assert function in listed
    assert rule not in listed


def test_numbers_are_spelled_out_without_pass() -> None:
    assert numbers(0b10110) == (1, 2, 4)
    assert numbers(NOTHING) == ()
    assert Match("circle").choices(SECOND) == ()
