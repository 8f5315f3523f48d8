"""Number Clash: First to Three."""

from evenodds.games.underdog import rules
from evenodds.rules import Game

GAME = Game.of(
    rules,
    title="Number Clash: First to Three",
    summary="Higher wins, unless the other is exactly one lower.",
    place=1,
)
