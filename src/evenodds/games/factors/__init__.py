"""Clash of Numbers."""

from evenodds.game import Game
from evenodds.games.factors import rules
from evenodds.games.factors.words import Speech

GAME = Game.of(
    rules,
    name="factors",
    title="Clash of Numbers",
    summary="Race to the target; factors pull back.",
    simultaneous=False,
    words=Speech(),
    loops=True,
    page=f"{__path__[0]}/rulebook.md",
    place=5,
)
