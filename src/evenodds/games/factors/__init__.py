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
    ladder=(0.25, 0.0, 0.5, 0.75, 0.875, 0.938, 0.969, 0.984, 1.0),
    page=f"{__path__[0]}/rulebook.md",
    place=5,
)
