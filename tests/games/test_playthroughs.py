"""Every playthrough is what OpenSpiel writes today, line by line: `NAME/playthrough*.txt`.

`python -m tests.games.test_playthroughs` writes all of them anew, with the same picks. A new one is
begun with its first line, `game: evenodds_NAME(numbers=6)`; picks are drawn where none are told.
"""

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Final
from unittest import mock

import pytest

from tests.support import environments  # noqa: F401 (registers the games)
from tests.support.game_data import FOLDER, WITH_DATA, files

FILES: Final = files("playthrough*.txt")
SEED: Final = 7
"""From which picks are drawn that are not given."""
THEIRS: Final = ("open_spiel.python.games", "open_spiel.python.mfg.games")
"""Games of OpenSpiel's own, which load all of scipy.stats."""


def replayed(text: str) -> str:
    """A playthrough written again, with the game and the picks that it tells of itself."""
    (game,) = re.findall(r"^game: (.*)$", text, re.M)
    told = re.findall(r"^actions?: (.*)$", text, re.M)
    picks = [[int(pick) for pick in re.findall(r"\d+", line)] for line in told]
    given: list[Any] = [pair if len(pair) > 1 else pair[0] for pair in picks]
    with mock.patch.dict(sys.modules, {name: ModuleType(name) for name in THEIRS}):
        from open_spiel.python.algorithms import generate_playthrough

    return str(generate_playthrough.playthrough(game, given, seed=SEED))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_match_goes_as_it_went(path: Path) -> None:
    kept = path.read_text(encoding="utf-8")
    assert replayed(kept).splitlines() == kept.splitlines()


def test_every_game_has_a_playthrough_and_one_ends_by_repetition() -> None:
    assert {path.parent.name for path in FILES} == {game.name for game in WITH_DATA}
    last = (FOLDER / "factors" / "playthrough-repetition.txt").read_text().split("# State ")[-1]
    assert "IsTerminal() = True" in last
    assert "Returns() = [0, 0]" in last


if __name__ == "__main__":
    for file in FILES:
        file.write_text(replayed(file.read_text(encoding="utf-8")), encoding="utf-8")
