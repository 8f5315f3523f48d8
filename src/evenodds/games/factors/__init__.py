"""Clash of Numbers."""

from evenodds.core.game import Game
from evenodds.games.factors import rules

GAME = Game.of(
    rules,
    title="Clash of Numbers",
    summary="Race to a target; a factor of theirs costs them points.",
    loops=True,
    place=5,
)
