"""Matches as OpenSpiel writes them down, line by line: one or more for each game.

`python -m tests.playthroughs` writes those of MATCHES anew.
"""

import re
from pathlib import Path
from typing import Any, Final

import evenodds.adapters.openspiel  # noqa: F401 (registers the games)

FOLDER: Final = Path(__file__).parent
SEED: Final = 7
"""From which picks are drawn that are not given."""

MATCHES: Final[dict[str, tuple[str, list[Any]]]] = {
    "underdog": ("", []),
    "underdog-small": ("numbers=4,target=2,gap=2,exhausted=draw", []),
    "margin": ("", []),
    "margin-decisive": ("numbers=3,last_round=decisive,recall=False", []),
    "circle": ("numbers=6", []),
    "circle-leaps": ("numbers=6,reach=2,leaps=1", []),
    "duel": ("", []),
    "duel-overreach": ("hp=5,numbers=4,overreach=2,knockout=draw", []),
    "factors": ("target=20", []),
    "factors-repetition": ("target=5,numbers=2,repetition=2", [1, 1, 1, 1]),
}
"""For each file the parameters of the game, and the picks that it begins with."""


def written(name: str) -> str:
    """A match of the list, written by OpenSpiel."""
    parameters, picks = MATCHES[name]
    game = f"evenodds_{name.split('-')[0]}"
    return _playthrough(f"{game}({parameters})" if parameters else game, picks)


def replayed(text: str) -> str:
    """A playthrough written again, with the game and the picks that it tells of itself."""
    (game,) = re.findall(r"^game: (.*)$", text, re.M)
    told = re.findall(r"^actions?: (.*)$", text, re.M)
    picks = [[int(pick) for pick in re.findall(r"\d+", line)] for line in told]
    return _playthrough(game, [pair if len(pair) > 1 else pair[0] for pair in picks])


def _playthrough(game: str, picks: list[Any]) -> str:
    from open_spiel.python.algorithms import generate_playthrough  # it loads all of scipy.stats

    return str(generate_playthrough.playthrough(game, picks, seed=SEED))
