"""Number Clash: First to Three."""

from evenodds.core.game import Game
from evenodds.games.underdog import rules

GAME = Game.of(
    rules,
    title="Number Clash: First to Three",
    summary="Higher wins, unless the other is exactly one lower.",
    ladder=(1.5, 0.0, 0.135, 0.269, 0.403, 0.538, 0.679, 0.83, 1.0),
    place=1,
)
