"""Games that stand for others where a test needs some game, or one of a kind."""

from typing import Final

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
