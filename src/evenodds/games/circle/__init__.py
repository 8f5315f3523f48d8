"""Number Circle Duel."""

from evenodds.core.game import Game
from evenodds.games.circle import rules
from evenodds.games.circle.words import Speech

GAME = Game.of(
    rules,
    name="circle",
    title="Number Circle Duel",
    summary="Claim a number beside the last; whoever cannot loses.",
    words=Speech(),
    lively=(("leaps", 1),),
    page=f"{__path__[0]}/rulebook.md",
    claims=f"{__name__}.claims",
    place=3,
)
