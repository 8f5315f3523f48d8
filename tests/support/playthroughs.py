"""Matches as OpenSpiel writes them down, line by line: `tests/games/NAME/playthrough*.txt`.

`python -m tests.support.playthroughs` writes all of them anew, with the same picks. A new one is
begun with its first line, `game: evenodds_NAME(numbers=6)`; picks are drawn where none are told.
"""

import re
import sys
from types import ModuleType
from typing import Any, Final
from unittest import mock

from tests.support import environments  # noqa: F401 (registers the games)
from tests.support.game_data import files

SEED: Final = 7
"""From which picks are drawn that are not given."""
THEIRS: Final = ("open_spiel.python.games", "open_spiel.python.mfg.games")
"""Games of OpenSpiel's own, which load all of scipy.stats."""


def replayed(text: str) -> str:
    """A playthrough written again, with the game and the picks that it tells of itself."""
    (game,) = re.findall(r"^game: (.*)$", text, re.M)
    told = re.findall(r"^actions?: (.*)$", text, re.M)
    picks = [[int(pick) for pick in re.findall(r"\d+", line)] for line in told]
    return _playthrough(game, [pair if len(pair) > 1 else pair[0] for pair in picks])


def _playthrough(game: str, picks: list[Any]) -> str:
    with mock.patch.dict(sys.modules, {name: ModuleType(name) for name in THEIRS}):
        from open_spiel.python.algorithms import generate_playthrough

    return str(generate_playthrough.playthrough(game, picks, seed=SEED))


if __name__ == "__main__":
    for path in files("playthrough*.txt"):
        path.write_text(replayed(path.read_text(encoding="utf-8")), encoding="utf-8")
