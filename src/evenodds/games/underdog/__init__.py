"""Number Clash: First to Three."""

from evenodds.core.game import Game
from evenodds.games.underdog import rules

GAME = Game.of(
    rules,
    title="Number Clash: First to Three",
    summary="Higher wins, unless the other is exactly one lower.",
    place=1,
)
