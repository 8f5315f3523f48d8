"""Number Duel."""

from evenodds.game import Game
from evenodds.games.duel import rules
from evenodds.games.duel.words import Speech

GAME = Game.of(
    rules,
    name="duel",
    title="Number Duel",
    summary="The higher number strikes.",
    simultaneous=True,
    words=Speech(),
    page=f"{__path__[0]}/rulebook.md",
    place=4,
)
