"""Number Duel."""

from evenodds.core.game import Game
from evenodds.games.duel import rules

GAME = Game.of(
    rules,
    title="Number Duel",
    summary="Higher wins; the loser's health drops by that number.",
    lively=(("numbers", 4), ("overreach", 1)),
    lively_about="no number is always best, but much is guesswork.",
    place=4,
)
