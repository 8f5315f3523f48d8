"""Number Duel."""

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
    page=f"{__path__[0]}/rulebook.md",
    place=4,
)
