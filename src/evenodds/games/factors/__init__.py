"""Clash of Numbers."""

from evenodds.core.game import Game
from evenodds.games.factors import rules

GAME = Game.of(
    rules,
    title="Clash of Numbers",
    summary="Race to a target; a factor of theirs costs them points.",
    loops=True,
    ladder=(1.0, 0.0, 0.169, 0.342, 0.51, 0.664, 0.799, 0.91, 1.0),
    place=5,
)
