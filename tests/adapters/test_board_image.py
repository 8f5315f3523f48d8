"""Boards as pictures: every sign is drawn, and every frame has the same size."""

from random import Random
from typing import Any

import numpy as np
import pytest

from evenodds.adapters import pettingzoo as door
from evenodds.adapters.bitmap_font import GLYPH_ROWS, glyph
from evenodds.adapters.board_image import (
    BACKGROUND_RGB,
    IMAGE_COLUMNS,
    STYLE_RGB,
    render_board_image,
)
from evenodds.adapters.episode import Episode
from evenodds.adapters.observation import ObservationEncoder
from evenodds.adapters.rendering import SPARE_LINES, render_episode
from evenodds.core.board import Span
from evenodds.core.catalog import AnyGame
from evenodds.core.terms import agree
from tests.support.strategies import GAMES


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_boards_fit_into_pictures_of_one_size_and_hold_only_signs_that_are_drawn(
    game: AnyGame,
) -> None:
    terms = agree(game, players=door.AGENTS)
    episode = Episode(terms, ObservationEncoder(game, terms.rulings), 200)
    first, chance = render_episode(episode, "rgb_array"), Random(2)
    height = len(game.words.board(episode.match.state, episode.match.names))
    while not episode.over:
        for seat in episode.match.waiting():
            episode.act(seat, chance.choice(episode.match.choices(seat)))
        board = game.words.board(episode.match.state, episode.match.names)
        texts = ["".join(span.text for span in line) for line in board]
        assert len(board) < height + SPARE_LINES  # and an empty line below it
        assert max(map(len, texts)) <= IMAGE_COLUMNS
        assert set("".join(texts)) <= set(GLYPH_ROWS)
        frame = render_episode(episode, "rgb_array")
        assert frame.shape == first.shape
        assert not np.array_equal(frame, first)


def test_a_sign_is_where_it_stands_on_the_board_in_the_colour_of_its_style() -> None:
    frame = render_board_image([[], [Span("  "), Span("7", "open")]], 2)
    ink = (frame != BACKGROUND_RGB).any(axis=2)
    assert {tuple(colour) for colour in frame[ink]} == {STYLE_RGB["open"]}
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    dots = ink[rows[0] : rows[-1] + 1 : 2, columns[0] : columns[-1] + 1 : 2]
    assert "".join(".#"[int(dot)] for dot in dots[0]) == "#####"
    assert np.array_equal(dots, glyph("7")[1:8, :5])
    assert (rows[0], columns[0]) == (12 + 2 * (9 + 1), 12 + 2 * 2 * 6)


def test_no_two_signs_look_alike_but_the_dashes() -> None:
    looks: dict[Any, str] = {}
    for sign in GLYPH_ROWS:
        assert len(GLYPH_ROWS[sign]) == 7
        looks.setdefault(GLYPH_ROWS[sign], "")
        looks[GLYPH_ROWS[sign]] += sign
    assert [signs for signs in looks.values() if len(signs) > 1] == ["-—"]
