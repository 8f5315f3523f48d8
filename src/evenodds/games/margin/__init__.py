"""Number Clash: Five Rounds."""

from evenodds.core.game import Game
from evenodds.games.margin import rules

GAME = Game.of(
    rules,
    title="Number Clash: Five Rounds",
    summary="Higher wins and scores the difference.",
    ladder=(1.0, 0.0, 0.16, 0.318, 0.469, 0.615, 0.752, 0.88, 1.0),
    place=2,
)
