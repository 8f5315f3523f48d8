"""What every game in the catalog keeps to, built in or brought by a package."""

import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenodds import Outcome, list_games, notation
from evenodds.core.record import END_REASONS
from evenodds.core.vocabulary import NOTHING
from evenodds.players.profiles import names_for
from evenodds.render.narration import tell_ending, tell_round
from evenodds.render.rulebook import rulebook_page
from evenodds.system.text import display_width
from tests.support.play import SEATS
from tests.support.strategies import GAMES as BUILT_IN
from tests.support.strategies import matches

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
@settings(max_examples=25)
@given(data=st.data())
def test_positions_keep_to_what_the_game_says_of_itself(game: Any, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    for state in match.states:
        assert small(state)
        assert state.rulings == match.terms.rulings
        assert hash(state) == hash(type(state)(*state))
        is_open = game.outcome(state) == Outcome.ONGOING
        assert (int(game.ending(state)) == 0) == is_open
        if is_open:
            offered = [game.legal(state, seat) for seat in SEATS]
            assert all(moves == NOTHING or not moves & NOTHING for moves in offered)
            assert all(moves for moves in offered)
            assert sum(moves != NOTHING for moves in offered) == 1 + game.simultaneous
    if not game.loops:
        assert len(set(match.states)) == len(match.states)
    again = notation.parse(notation.write(match))
    assert again == match
    assert again.states == match.states
    assert again.result == match.result


@pytest.mark.long
@every_game
@settings(max_examples=25)
@given(data=st.data())
def test_what_a_game_says_is_printable(game: Any, data: st.DataObject) -> None:
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
    number = data.draw(st.integers(0, 40))
    for seat in match.waiting():
        if number not in match.choices(seat):
            why = words.refusal(match.state, seat, number)
            assert why.startswith(("not ", "already "))


@pytest.mark.long
@every_game
@settings(max_examples=12)
@given(data=st.data())
def test_sentences_to_a_player_are_in_the_second_person(game: Any, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    words, you = game.words, data.draw(st.sampled_from(SEATS))
    computers = ("level:4", "level:4")
    terms = match.terms._replace(players=words.players, computers=computers)
    names = names_for(terms, you)
    assert names[you] == "You"
    assert names[1 - you] == "Level 4"
    said = [
        *(tell_round(match, round, names) for round in range(1, len(match.history) + 1)),
        *([tell_ending(match, match.result, names)] if match.result else []),
        *(line for reason in END_REASONS for line in words.ended(reason, you, names)),
        *(words.request(match.state, seat, match.choices(seat), names) for seat in match.waiting()),
        *("".join(span.text for span in line) for line in words.board(match.state, names)),
    ]
    for line in said:
        assert not re.search(r"You (has|is|was|\w+[^s]s)\b|You's|[a-z,:;] You\b", line), line


@every_game
def test_a_game_is_told_to_players(game: Any) -> None:
    assert len(game.summary) <= 58  # a window of 60 columns shows it in its title line
    assert len(game.words.goal(game.rulings())) <= 90
    text = rulebook_page(game)
    assert text.startswith(f"# {game.title}\n")
    assert "tbd" not in text
    assert all(f"`{key}`" in text for key in game.options)
    assert Path(game.page).name == "rulebook.md" or game not in BUILT_IN
