"""Number Clash: Five Rounds."""

from evenodds.game import Game
from evenodds.games.margin import rules
from evenodds.games.margin.words import Speech

GAME = Game(
    name="margin",
    title="Number Clash: Five Rounds",
    summary="Pick in secret: the higher scores the difference.",
    rulings=rules.Rulings,
    start=rules.start,
    legal=rules.legal,
    step=rules.step,
    outcome=rules.outcome,
    ending=rules.ending,
    simultaneous=True,
    words=Speech(),
    page=f"{__path__[0]}/rulebook.md",
    place=2,
)
