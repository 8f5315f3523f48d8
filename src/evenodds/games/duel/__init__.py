"""Number Duel."""

from evenodds.core.game import Game
from evenodds.games.duel import rules

GAME = Game.of(
    rules,
    title="Number Duel",
    summary="Higher wins; the loser's health drops by that number.",
    ladder=(2.0, 0.0, 0.158, 0.317, 0.474, 0.625, 0.765, 0.891, 1.0),
    lively=(("numbers", 4), ("overreach", 1)),
    place=4,
)
