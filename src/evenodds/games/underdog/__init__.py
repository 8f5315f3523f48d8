"""Number Clash: First to Three."""

from evenodds.core.game import Game
from evenodds.games.underdog import rules
from evenodds.games.underdog.words import Speech

GAME = Game.of(
    rules,
    name="underdog",
    title="Number Clash: First to Three",
    summary="Higher wins, but one less beats it.",
    words=Speech(),
    ladder=(1.5, 0.0, 0.137, 0.273, 0.41, 0.549, 0.691, 0.84, 1.0),
    page=f"{__path__[0]}/rulebook.md",
    claims=f"{__name__}.claims",
    place=1,
)
