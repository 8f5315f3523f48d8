"""Number Duel."""

from evenodds.core.game import Game
from evenodds.games.duel import rules

GAME = Game.of(
    rules,
    title="Number Duel",
    summary="Higher wins; the loser's health drops by that number.",
    ladder=(2.0, 0.0, 0.165, 0.329, 0.487, 0.637, 0.773, 0.895, 1.0),
    place=4,
)
