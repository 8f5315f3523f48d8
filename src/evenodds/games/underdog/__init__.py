"""Number Clash: First to Three."""

from evenodds.core.game import Game
from evenodds.games.underdog import rules

GAME = Game.of(
    rules,
    title="Number Clash: First to Three",
    summary="Higher wins, unless the other is exactly one lower.",
    ladder=(1.5, 0.0, 0.145, 0.287, 0.426, 0.566, 0.706, 0.85, 1.0),
    place=1,
)
