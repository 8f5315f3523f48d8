"""Clash of Numbers."""

from evenodds.games.factors import rules
from evenodds.rules import Game

GAME = Game.of(
    rules,
    title="Clash of Numbers",
    summary="Race to a target; a factor of theirs costs them points.",
    loops=True,
    place=5,
)
