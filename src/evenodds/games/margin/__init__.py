"""Number Clash: Five Rounds."""

from evenodds.core.game import Game
from evenodds.games.margin import rules
from evenodds.games.margin.words import Speech

GAME = Game.of(
    rules,
    name="margin",
    title="Number Clash: Five Rounds",
    summary="Higher wins and scores the difference.",
    words=Speech(),
    ladder=(1.0, 0.0, 0.16, 0.318, 0.469, 0.615, 0.752, 0.88, 1.0),
    page=f"{__path__[0]}/rulebook.md",
    claims=f"{__name__}.claims",
    place=2,
)
