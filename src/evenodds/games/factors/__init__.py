"""Clash of Numbers."""

from evenodds.core.game import Game
from evenodds.games.factors import rules
from evenodds.games.factors.words import Speech

GAME = Game.of(
    rules,
    name="factors",
    title="Clash of Numbers",
    summary="Race to a target; a factor of theirs costs them points.",
    words=Speech(),
    loops=True,
    ladder=(1.0, 0.0, 0.169, 0.342, 0.51, 0.664, 0.799, 0.91, 1.0),
    page=f"{__path__[0]}/rulebook.md",
    claims=f"{__name__}.claims",
    place=5,
)
