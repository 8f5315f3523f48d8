"""Clash of Numbers."""

from evenodds.core.game import Game
from evenodds.games.factors import rules
from evenodds.games.factors.words import Speech

GAME = Game.of(
    rules,
    name="factors",
    title="Clash of Numbers",
    summary="Race to the target; factors pull back.",
    words=Speech(),
    loops=True,
    ladder=(0.25, 0.6, 0.714, 0.792, 0.853, 0.902, 0.941, 0.973, 1.0),
    page=f"{__path__[0]}/rulebook.md",
    claims=f"{__name__}.claims",
    place=5,
)
