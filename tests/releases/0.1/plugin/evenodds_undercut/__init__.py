"""Undercut, a game for Even Odds."""

from evenodds.game import Game

from evenodds_undercut import rules
from evenodds_undercut.words import Speech

GAME = Game.of(
    rules,
    name="undercut",
    title="Undercut",
    summary="Score your number, but beware one less.",
    simultaneous=True,
    words=Speech(),
    page=f"{__path__[0]}/rulebook.md",
    claims=f"{__name__}.claims",
    place=60,
)
