"""Every playthrough is what OpenSpiel writes today, line by line."""

from pathlib import Path

import pytest

from tests.playthroughs import FOLDER, MATCHES, replayed
from tests.support.strategies import GAMES

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_match_goes_as_it_went(path: Path) -> None:
    """Positions, what each seat sees, what is open, what it is worth."""
    kept = path.read_text(encoding="utf-8")
    assert replayed(kept).splitlines() == kept.splitlines()


def test_every_game_has_a_playthrough() -> None:
    """All of the catalog, and no file beside the list."""
    assert {path.stem for path in FILES} == set(MATCHES)
    assert {path.stem.split("-")[0] for path in FILES} == {game.name for game in GAMES}


def test_one_of_them_ends_by_repetition() -> None:
    """The same position twice: a draw, though the rules would go on."""
    last = (FOLDER / "factors-repetition.txt").read_text().split("# State ")[-1]
    assert "IsTerminal() = True" in last
    assert "Returns() = [0, 0]" in last
