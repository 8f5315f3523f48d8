"""Number Circle Duel."""

from evenodds.core.game import Game
from evenodds.games.circle import rules

GAME = Game.of(
    rules,
    title="Number Circle Duel",
    summary="Claim a number beside the last; whoever cannot loses.",
    lively=(("leaps", 1),),
    lively_about="picks decide, but with best play the second player wins.",
    place=3,
)
