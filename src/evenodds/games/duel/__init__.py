"""Number Duel."""

from evenodds.core.game import Game
from evenodds.games.duel import rules
from evenodds.games.duel.words import Speech

GAME = Game.of(
    rules,
    name="duel",
    title="Number Duel",
    summary="Higher wins; the loser's health drops by that number.",
    words=Speech(),
    ladder=(2.0, 0.0, 0.165, 0.329, 0.487, 0.637, 0.773, 0.895, 1.0),
    page=f"{__path__[0]}/rulebook.md",
    claims=f"{__name__}.claims",
    place=4,
)
