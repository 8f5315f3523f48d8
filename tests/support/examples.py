"""Games that stand for others where a test needs some game, or one of a kind."""

import sys
from importlib import import_module
from typing import Any, Final

from tests.support.paths import ROOT

SMALL_GAME: Final = "duel"
"""A few positions, and a dialog of a few lines."""
SIMULTANEOUS_GAME: Final = "margin"
"""Both pick at once, and have to mix."""
TURN_GAME: Final = "circle"
"""One picks after the other."""
LOOPING_GAME: Final = "factors"
"""Turns in which play can come back to a position."""
LARGE_GAME: Final = "underdog"
"""Many positions, where both pick at once."""


def example(name: str) -> Any:
    """The game of a file in `examples/games`."""
    folder = str(ROOT / "examples" / "games")
    if folder not in sys.path:
        sys.path.append(folder)
    return import_module(name).GAME
