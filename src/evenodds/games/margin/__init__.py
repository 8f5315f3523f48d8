"""Number Clash: Five Rounds."""

from evenodds.games.margin import rules
from evenodds.rules import Game

GAME = Game.of(
    rules,
    title="Number Clash: Five Rounds",
    summary="Higher wins and scores the difference.",
    place=2,
)
