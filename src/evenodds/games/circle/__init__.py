"""Number Circle Duel."""

from evenodds.core.game import Game
from evenodds.games.circle import rules

GAME = Game.of(
    rules,
    title="Number Circle Duel",
    summary="Claim a number beside the last; whoever cannot loses.",
    lively=(("leaps", 1),),
    place=3,
)
