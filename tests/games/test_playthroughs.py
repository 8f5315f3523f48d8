"""Every playthrough is what OpenSpiel writes today, line by line."""

from pathlib import Path

import pytest

from tests.support.game_data import FOLDER, WITH_DATA, files
from tests.support.playthroughs import replayed

FILES = files("playthrough*.txt")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_match_goes_as_it_went(path: Path) -> None:
    kept = path.read_text(encoding="utf-8")
    assert replayed(kept).splitlines() == kept.splitlines()


def test_every_game_has_a_playthrough() -> None:
    assert {path.parent.name for path in FILES} == {game.name for game in WITH_DATA}


def test_one_of_them_ends_by_repetition() -> None:
    last = (FOLDER / "factors" / "playthrough-repetition.txt").read_text().split("# State ")[-1]
    assert "IsTerminal() = True" in last
    assert "Returns() = [0, 0]" in last
