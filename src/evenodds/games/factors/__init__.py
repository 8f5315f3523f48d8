"""Clash of Numbers."""

from evenodds.game import Game
from evenodds.games.factors import rules
from evenodds.games.factors.words import Speech

GAME = Game(
    name="factors",
    title="Clash of Numbers",
    summary="Race to the target; multiples and factors pull back.",
    rulings=rules.Rulings,
    start=rules.start,
    legal=rules.legal,
    step=rules.step,
    outcome=rules.outcome,
    ending=rules.ending,
    simultaneous=False,
    words=Speech(),
    loops=True,
    page=f"{__path__[0]}/rulebook.md",
    place=5,
)
