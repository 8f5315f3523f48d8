"""Matches as OpenSpiel writes them down, line by line: `tests/games/NAME/playthrough*.txt`.

`python -m tests.support.playthroughs` writes all of them anew, from the data of each game.
"""

import re
from typing import Any, Final

import evenodds.adapters.openspiel  # noqa: F401 (registers the games)
from tests.support.game_data import FOLDER, data_of, files
from tests.support.strategies import GAMES

SEED: Final = 7
"""From which picks are drawn that are not given."""


def replayed(text: str) -> str:
    """A playthrough written again, with the game and the picks that it tells of itself."""
    (game,) = re.findall(r"^game: (.*)$", text, re.M)
    told = re.findall(r"^actions?: (.*)$", text, re.M)
    picks = [[int(pick) for pick in re.findall(r"\d+", line)] for line in told]
    return _playthrough(game, [pair if len(pair) > 1 else pair[0] for pair in picks])


def _playthrough(game: str, picks: list[Any]) -> str:
    from open_spiel.python.algorithms import generate_playthrough  # it loads all of scipy.stats

    return str(generate_playthrough.playthrough(game, picks, seed=SEED))


if __name__ == "__main__":
    for old in files("playthrough*.txt"):
        old.unlink()
    for game in GAMES:
        for name, (parameters, picks) in data_of(game).playthroughs.items():
            call = f"evenodds_{game.name}" + (f"({parameters})" if parameters else "")
            path = FOLDER / game.name / f"{name}.txt"
            path.write_text(_playthrough(call, list(picks)), encoding="utf-8")
