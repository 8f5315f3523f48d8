"""Number Duel."""

from pathlib import Path

from evenodds.game import Game
from evenodds.games.duel import rules
from evenodds.games.duel.words import Speech

GAME = Game(
    name="duel",
    title="Number Duel",
    summary="Pick in secret: the higher number strikes.",
    rulings=rules.Rulings,
    start=rules.start,
    legal=rules.legal,
    step=rules.step,
    outcome=rules.outcome,
    ending=rules.ending,
    simultaneous=True,
    words=Speech(),
    page=Path(__file__).with_name("rulebook.md"),
    place=4,
)
