"""Number Clash: Five Rounds."""

from evenodds.core.game import Game
from evenodds.games.margin import rules

GAME = Game.of(
    rules,
    title="Number Clash: Five Rounds",
    summary="Higher wins and scores the difference.",
    place=2,
)
