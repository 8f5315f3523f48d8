"""Positions as rows of numbers: enough to tell them apart, and the same from either side."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

import evenodds
from evenodds import FIRST, SECOND, Match
from evenodds.envs import describe_observation
from tests.support.environments import ObservationEncoder
from tests.support.examples import example
from tests.support.game_data import files
from tests.support.play import SEATS, by_chance, play
from tests.support.strategies import GAMES


def open_positions(game: Any, matches: int) -> list[Any]:
    choice = by_chance(Random(7))
    return [state for _ in range(matches) for state in play(Match(game), choice).states[:-1]]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_row_tells_every_position_and_seat_apart(game: Any) -> None:
    """Two positions share a row only if they are the same, or mirror images from either side."""
    encoder = ObservationEncoder(game, game.settle({}))
    told: dict[tuple[int, ...], object] = {}
    for state in open_positions(game, 100):
        for seat in SEATS:
            row = encoder.row(state, seat)
            assert len(row) == encoder.size
            own = game.mirror(state) if game.mirror and seat == SECOND else state
            shown = (own, FIRST if game.mirror else seat)
            assert told.setdefault(tuple(row), shown) == shown


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_mask_is_what_the_rules_allow_and_nothing_higher_ever_opens(game: Any) -> None:
    encoder = ObservationEncoder(game, game.settle({}))
    for state in open_positions(game, 40):
        for seat in SEATS:
            mask = encoder.mask(state, seat)
            assert tuple(n for n, open in enumerate(mask) if open) == game.picks(state, seat)
            assert len(mask) == encoder.highest + 1


@pytest.mark.parametrize(
    ("game", "options"),
    [("duel", {}), ("margin", {}), ("circle", {}), ("factors", {"target": 9})],
)
def test_the_bounds_of_a_row_are_those_of_all_positions(game: str, options: dict[str, Any]) -> None:
    ruled = evenodds.game(game, options)
    encoder, choice = ObservationEncoder(*ruled), by_chance(Random(7))
    fields = [field for field in encoder.fields for _ in range(field.size)]
    rows = [
        encoder.row(state, seat)
        for _ in range(2000)
        for state in play(Match(ruled), choice).states
        for seat in SEATS
    ]
    for field, column in zip(fields, zip(*rows, strict=True), strict=True):
        assert (field.low, field.high) == (min(0, *column), max(1, *column)) or field.size > 1


def test_the_highest_number_may_come_later() -> None:
    assert ObservationEncoder(*evenodds.game(example("pig"), sides=2)).highest == 2
    assert ObservationEncoder(*evenodds.game(example("goofspiel"), order="rising")).highest == 5
    encoder = ObservationEncoder(*evenodds.game(example("nim")))
    assert [field.name for field in encoder.fields[1:4]] == ["heaps, 1", "heaps, 2", "heaps, 3"]


@pytest.mark.parametrize("path", files("observation.md"), ids=lambda path: path.parent.name)
def test_the_layout_of_a_row_is_pinned(path: Path) -> None:
    assert describe_observation(path.parent.name) + "\n" == path.read_text()


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_place_of_a_row_is_described(game: Any) -> None:
    about, _, _, _, *rows = describe_observation(game).splitlines()
    assert about
    spans = [re.findall(r"\d+", row.split("|")[1]) for row in rows]
    places = [place for span in spans for place in range(int(span[0]), int(span[-1]) + 1)]
    assert places == list(range(ObservationEncoder(game, game.settle({})).size))
    shown = {row.split("`")[1].split(", ")[0] for row in rows}
    assert shown == {"seat", *game.start(game.settle({}))._fields[1:]}
