"""Number Circle Duel."""

from evenodds.game import Game
from evenodds.games.circle import rules
from evenodds.games.circle.words import Speech

GAME = Game(
    name="circle",
    title="Number Circle Duel",
    summary="Claim a number next to the last one, or lose.",
    rulings=rules.Rulings,
    start=rules.start,
    legal=rules.legal,
    step=rules.step,
    outcome=rules.outcome,
    ending=rules.ending,
    simultaneous=False,
    words=Speech(),
    page=f"{__path__[0]}/rulebook.md",
    place=3,
)
