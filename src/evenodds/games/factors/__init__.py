"""Clash of Numbers."""

from pathlib import Path

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
    page=Path(__file__).with_name("rulebook.md"),
    place=5,
)
