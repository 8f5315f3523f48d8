"""The data of games, and games that have none."""

from pathlib import Path
from typing import Any

import pytest

from evenodds import get
from tests.games import test_conformance
from tests.support.game_data import FOLDER, data_of, has_data
from tests.support.packages import NIM, install
from tests.support.strategies import GAMES


def test_data_is_of_a_game() -> None:
    assert {path.parent.name for path in FOLDER.glob("*/__init__.py")} <= {
        game.name for game in GAMES
    }


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_game_without_data_is_known_by_its_options(game: Any) -> None:
    unknown = game._replace(name="unknown")
    assert not has_data(unknown)
    derived, written = data_of(unknown), data_of(game)
    assert derived.place == written.place
    assert all(value >= written.options[key][2] for key, value in derived.large.items())
    assert game.settle(derived.large)


SUITE = {
    name: test
    for name, test in vars(test_conformance).items()
    if test_conformance.every_game.mark in getattr(test, "pytestmark", ())
}


@pytest.mark.long
@pytest.mark.parametrize("name", SUITE)
def test_a_game_without_data_passes_the_conformance_suite(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(SUITE) >= 5
    install(tmp_path, "nim", NIM)
    monkeypatch.syspath_prepend(tmp_path)
    SUITE[name](game=get("nim"))
