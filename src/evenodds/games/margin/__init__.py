"""Number Clash: Five Rounds."""

from evenodds.game import Game
from evenodds.games.margin import rules
from evenodds.games.margin.words import Speech

GAME = Game.of(
    rules,
    name="margin",
    title="Number Clash: Five Rounds",
    summary="Higher wins and scores the difference.",
    simultaneous=True,
    words=Speech(),
    page=f"{__path__[0]}/rulebook.md",
    place=2,
)
